// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/site/network_counters.hpp"

namespace hypermon {

using counter_list::NetworkCounter;

std::int64_t NetworkCounters::read(std::size_t counter, NodeId node, CounterInstance instance, Time) const {
  if (instance.part >= networks_.count()) return 0;
  const InterfaceCounts kept = networks_.interface(NetworkId{instance.part}, Place::node(node));
  const std::uint64_t value = [&] {
    switch (NetworkCounter{counter}) {
    case NetworkCounter::bytes_sent:
      return kept.sent_bytes;
    case NetworkCounter::bytes_received:
      return kept.received_bytes;
    case NetworkCounter::packets_sent:
      return kept.sent_packets;
    case NetworkCounter::packets_received:
      return kept.received_packets;
    }
    return std::uint64_t{0};
  }();
  return static_cast<std::int64_t>(value);
}

} // namespace hypermon
