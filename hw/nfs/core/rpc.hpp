// SPDX-License-Identifier: BSD-3-Clause
// Procedures of NFS version 3 and the sizes of their messages (RFC 1813; RFC 1831 and 1832 for the encoding).
#pragma once
#include "base/choice.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hypermon::nfs {

enum class Procedure : std::uint8_t { getattr, lookup, read, readdir, write, commit, create, mkdir, remove, rename };
constexpr auto words_of(Procedure) {
  return words("getattr", "lookup", "read", "readdir", "write", "commit", "create", "mkdir", "remove", "rename");
}
constexpr std::size_t procedures = words_of(Procedure{}).size();

/// Size of a call with these file names and with `data` bytes of data.
std::int64_t request_bytes(Procedure procedure, std::string_view name, std::string_view second = {},
                           std::int64_t data = 0);
/// Size of the answer with `data` bytes of data.
std::int64_t reply_bytes(Procedure procedure, std::int64_t data = 0);
/// Size of a directory's entry in READDIR's answer.
std::int64_t entry_bytes(std::string_view name);
/// Bytes that a message takes on a cable, in UDP datagrams on Ethernet.
std::int64_t on_cable(std::int64_t bytes);

} // namespace hypermon::nfs
