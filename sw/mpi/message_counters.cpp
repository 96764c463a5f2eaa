// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/message_counters.hpp"
#include "sw/os/counter_list.hpp"

#include <algorithm>

namespace hypermon {

using counter_list::MessageCounter;

std::span<const CounterInfo> MessageCounters::counters() const { return counter_list::of_messages; }

std::string MessageCounters::absence(std::size_t) const {
  return os_.has_own_library || smpi_shows_messages()
             ? ""
             : "this SimGrid shows nothing of SMPI's messages (machine.messages = smpi); mpi.* tells of the calls";
}

void MessageCounters::keep(std::size_t) { counts_.keep(); }

std::uint32_t MessageCounters::parts(std::size_t counter, NodeId node) const {
  switch (counter_list::of_messages[counter].owner) {
  case CounterOf::process:
    return processes_.count(node);
  case CounterOf::interface:
    return std::min(processes_.count(node), 1U);
  default:
    return 1;
  }
}

std::vector<std::string> MessageCounters::items(std::size_t counter) const {
  return counter_list::of_messages[counter].by == CounterBy::size_class ? size_class_names()
                                                                        : std::vector<std::string>{};
}

std::optional<std::uint32_t> MessageCounters::item(std::size_t counter, const std::string& name) {
  return number_of(name, items(counter));
}

std::int64_t MessageCounters::read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const {
  const auto& own = processes_.on_node(node);
  if (MessageCounter{counter} == MessageCounter::buffers) {
    std::int64_t bytes = 0;
    for (const std::size_t rank : own) bytes += counts_.queues(static_cast<int>(rank)).buffered_bytes;
    return bytes;
  }
  if (instance.part >= own.size() || instance.item >= size_classes) return 0;
  const Traffic::OfRank& kept = counts_.traffic().counts(own[instance.part]);
  const InterfaceTraffic packets = counts_.packets(node);
  const auto queues = [&] { return counts_.queues(static_cast<int>(own[instance.part])); };
  const std::uint64_t value = [&]() -> std::uint64_t {
    switch (MessageCounter{counter}) {
    case MessageCounter::sent:
      return kept.sent_by_size[instance.item];
    case MessageCounter::received:
      return kept.received_by_size[instance.item];
    case MessageCounter::bytes_sent:
      return kept.bytes_sent;
    case MessageCounter::bytes_received:
      return kept.bytes_received;
    case MessageCounter::posted:
      return queues().posted;
    case MessageCounter::unexpected:
      return queues().unexpected;
    case MessageCounter::interface_bytes_sent:
      return counts_.traffic().bytes_out(own[instance.part], now) + packets.bytes_sent;
    case MessageCounter::interface_bytes_received:
      return counts_.traffic().bytes_in(own[instance.part], now) + packets.bytes_received;
    case MessageCounter::interface_packets_sent:
      return kept.out.packets + packets.packets_sent;
    case MessageCounter::interface_packets_received:
      return kept.in.packets + packets.packets_received;
    case MessageCounter::buffers:
      break;
    }
    return 0;
  }();
  return static_cast<std::int64_t>(value);
}

} // namespace hypermon
