// SPDX-License-Identifier: BSD-3-Clause
// Costs of messages and values: CPU time and bytes on the wire.
#pragma once
#include "sw/monitors/scms/core/message.hpp"

namespace hypermon::scms {

struct Costs {
  Time send;                 ///< CPU time of a message at its sender
  Time receive;              ///< CPU time of a message at its receiver
  double byte_ns = 0;        ///< CPU time of each byte of values at the receiver
  double merged_byte_ns = 0; ///< the same if an SMA has merged the message
  Time name{};               ///< CPU time of each resource name, at both ends
  Time value{};              ///< CPU time of reading a value
  std::int64_t request = 0;  ///< bytes of a message without values, besides the following
  std::int64_t reply = 0;    ///< bytes of a message with values, besides the following
  std::int64_t id = 0;       ///< bytes of a resource name
  std::int64_t range = 8;    ///< bytes of each run of consecutive nodes in a set
  std::int64_t node = 4;     ///< bytes of the node number that begins a row
  std::int64_t stamp = 0;    ///< bytes of each value, besides its own
  bool names_each = false;   ///< every value has its name (hierarchical, as in SNMP), not only requests
};

/// Number of resource names in the message.
std::int64_t names_in(const Message& message, const Costs& costs);
/// Bytes of the values in the rows, with the bytes that accompany each value.
std::int64_t bytes_of_values(const Rows& rows, const Costs& costs);
/// Bytes on the wire, without TCP headers.
std::int64_t bytes_of(const Message& message, const Costs& costs);
/// CPU time of the message at its sender, and at its receiver.
Time sending(const Message& message, const Costs& costs);
Time receiving(const Message& message, const Costs& costs);

/// Appends the message with its costs.
void post(Outbox& out, Peer to, Message message, const Costs& costs);

} // namespace hypermon::scms
