// SPDX-License-Identifier: BSD-3-Clause
// What NFS version 3 asks of its server, and how many bytes that is (RFC 1813, RFC 1831 and 1832 for the numbers).
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

/// Of a call that names so many characters of file names, with the data that it brings.
std::int64_t request_bytes(Procedure procedure, std::string_view name, std::string_view second = {},
                           std::int64_t data = 0);
/// Of its answer, with the data that it brings.
std::int64_t reply_bytes(Procedure procedure, std::int64_t data = 0);
/// That a directory's entry takes of READDIR's answer.
std::int64_t entry_bytes(std::string_view name);
/// What so many bytes of a message take of a cable: datagrams of UDP on Ethernet.
std::int64_t on_cable(std::int64_t bytes);

} // namespace hypermon::nfs
