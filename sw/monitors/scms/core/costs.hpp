// What messages and values take: CPU time and bytes on the wire.
#pragma once
#include "sw/monitors/scms/core/message.hpp"

namespace hypermon::scms {

struct Costs {
  Time message;            ///< CPU of a message, at its sender and again at its receiver
  double byte_ns = 0;      ///< CPU of each of its bytes, at both
  Time name;               ///< CPU of each resource's name in it, at both
  Time value;              ///< CPU of reading a value, besides its bytes
  std::int64_t header = 0; ///< bytes of a message, besides what follows
  std::int64_t id = 0;     ///< bytes of a resource's name
  std::int64_t range = 8;  ///< bytes of each run of consecutive nodes in a set
  std::int64_t node = 4;   ///< bytes of the node that begins a row
  std::int64_t stamp = 0;  ///< bytes of each value's time, besides itself
  bool names_each = false; ///< every value in an answer carries its name (hierarchical, as SNMP), not only requests
};

/// How many resources' names are in the message.
std::int64_t names_in(const Message& message, const Costs& costs);
/// On the wire, headers of TCP not counted.
std::int64_t bytes_of(const Message& message, const Costs& costs);
/// CPU of the message at either end.
Time handling(const Message& message, std::int64_t bytes, const Costs& costs);
Time handling(const Message& message, const Costs& costs);
/// CPU of reading `values` values of so many bytes together.
Time reading(std::int64_t values, std::int64_t bytes, const Costs& costs);

/// Puts the message, with what it takes, behind what is there.
void post(Outbox& out, Peer to, Message message, const Costs& costs);

} // namespace hypermon::scms
