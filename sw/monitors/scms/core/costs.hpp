// SPDX-License-Identifier: BSD-3-Clause
// What messages and values take: CPU time and bytes on the wire.
#pragma once
#include "sw/monitors/scms/core/message.hpp"

namespace hypermon::scms {

struct Costs {
  Time send;                 ///< CPU of a message, at its sender
  Time receive;              ///< and at its receiver
  double byte_ns = 0;        ///< CPU of each byte of values, at the receiver
  double merged_byte_ns = 0; ///< the same if an SMA has merged the message
  Time name{};               ///< CPU of each resource's name, at both
  Time value{};              ///< CPU of reading a value
  std::int64_t request = 0;  ///< bytes of a message without values, besides what follows
  std::int64_t reply = 0;    ///< the same of one with values
  std::int64_t id = 0;       ///< bytes of a resource's name
  std::int64_t range = 8;    ///< bytes of each run of consecutive nodes in a set
  std::int64_t node = 4;     ///< bytes of the node that begins a row
  std::int64_t stamp = 0;    ///< bytes of each value, besides its own
  bool names_each = false;   ///< every value carries its name (hierarchical, as SNMP), not only requests
};

/// How many resources' names are in the message.
std::int64_t names_in(const Message& message, const Costs& costs);
/// On the wire, headers of TCP not counted.
std::int64_t bytes_of(const Message& message, const Costs& costs);
/// CPU of the message at its sender, and at its receiver.
Time sending(const Message& message, const Costs& costs);
Time receiving(const Message& message, const Costs& costs);

/// Puts the message, with what it takes, behind what is there.
void post(Outbox& out, Peer to, Message message, const Costs& costs);

} // namespace hypermon::scms
