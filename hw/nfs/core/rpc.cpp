// SPDX-License-Identifier: BSD-3-Clause
#include "hw/nfs/core/rpc.hpp"

namespace hypermon::nfs {
namespace {

// RFC 1831: a call has six numbers, a credential (AUTH_UNIX: its own two numbers, a stamp, a machine name of 8
// characters, user, group, no further groups) and an empty verifier. An answer has three numbers, a verifier and a
// status; NFS adds one number.
constexpr std::int64_t call = 6 * 4 + (2 * 4 + 4 + 12 + 4 + 4 + 4) + 2 * 4;
constexpr std::int64_t reply = 3 * 4 + 2 * 4 + 4 + 4;
// RFC 1813 secs. 2.5 and 2.6; a file handle of 32 bytes, as in Linux's server.
constexpr std::int64_t handle = 4 + 32;
constexpr std::int64_t attributes = 84;
constexpr std::int64_t some_attributes = 4 + attributes;        // post_op_attr
constexpr std::int64_t some_handle = 4 + handle;                // post_op_fh3
constexpr std::int64_t changes = (4 + 24) + some_attributes;    // wcc_data
constexpr std::int64_t set_attributes = 8 + 4 + 4 + 12 + 4 + 4; // sattr3: a mode and a size

constexpr std::int64_t padded(std::size_t bytes) { return 4 * ((static_cast<std::int64_t>(bytes) + 3) / 4); }
std::int64_t text(std::string_view name) { return 4 + padded(name.size()); }

} // namespace

std::int64_t request_bytes(Procedure procedure, std::string_view name, std::string_view second, std::int64_t data) {
  switch (procedure) {
  case Procedure::getattr:
    return call + handle;
  case Procedure::lookup:
  case Procedure::remove:
    return call + handle + text(name);
  case Procedure::read:
  case Procedure::commit:
    return call + handle + 8 + 4;
  case Procedure::readdir:
    return call + handle + 8 + 8 + 4;
  case Procedure::write:
    return call + handle + 8 + 4 + 4 + 4 + padded(static_cast<std::size_t>(data));
  case Procedure::create:
    return call + handle + text(name) + 4 + set_attributes;
  case Procedure::mkdir:
    return call + handle + text(name) + set_attributes;
  case Procedure::rename:
    return call + 2 * handle + text(name) + text(second);
  }
  return call;
}

std::int64_t reply_bytes(Procedure procedure, std::int64_t data) {
  const std::int64_t with_data = padded(static_cast<std::size_t>(data));
  switch (procedure) {
  case Procedure::getattr:
    return reply + attributes;
  case Procedure::lookup:
    return reply + handle + 2 * some_attributes;
  case Procedure::read:
    return reply + some_attributes + 4 + 4 + 4 + with_data;
  case Procedure::readdir:
    return reply + some_attributes + 8 + 4 + 4 + with_data;
  case Procedure::write:
    return reply + changes + 4 + 4 + 8;
  case Procedure::commit:
    return reply + changes + 8;
  case Procedure::create:
  case Procedure::mkdir:
    return reply + some_handle + some_attributes + changes;
  case Procedure::remove:
    return reply + changes;
  case Procedure::rename:
    return reply + 2 * changes;
  }
  return reply;
}

std::int64_t entry_bytes(std::string_view name) { return 4 + 8 + text(name) + 8; }

std::int64_t on_cable(std::int64_t bytes) {
  constexpr std::int64_t in_a_frame = 1500 - 20 - 8; // IEEE 802.3; IP and UDP
  constexpr std::int64_t beside = 20 + 8 + 14 + 4 + 8 + 12;
  return bytes + (bytes + in_a_frame - 1) / in_a_frame * beside;
}

} // namespace hypermon::nfs
