// SPDX-License-Identifier: BSD-3-Clause
#include "sw/nx2/node_counters.hpp"
#include "hw/machine/cpu.hpp"
#include "hw/machine/processors.hpp"
#include "sw/nx2/counter_list.hpp"

#include <algorithm>

namespace hypermon {

using counter_list::KernelCounter;
using counter_list::MessageCounter;

Processes::Processes(const Nx2& os) : ranks_(static_cast<std::size_t>(os.nodes())) {
  for (const RankState& rank : os.ranks())
    if (rank.instrumented) ranks_[index(rank.kernel->node())].push_back(static_cast<std::size_t>(rank.rank));
}

// Kernels
// ---------------------------------------------------------------------------------------------------------------

std::span<const CounterInfo> KernelCounters::counters() const { return counter_list::of_kernels; }

void KernelCounters::keep(std::size_t) {
  for (int n = 0; n < os_.nodes(); ++n) os_.node_kernel(NodeId{static_cast<std::uint32_t>(n)}).keep_account();
}

std::uint32_t KernelCounters::parts(std::size_t counter, NodeId node) const {
  switch (counter_list::of_kernels[counter].of) {
  case CounterOf::process:
    return processes_.count(node);
  case CounterOf::processor:
    return static_cast<std::uint32_t>(os_.processors().design().processors);
  default:
    return 1;
  }
}

Time KernelCounters::user_time(NodeId node, Time now) const {
  Time sum;
  if (const Cpu* cpu = os_.shared_cpu(node)) { // by daemons and competitors, too
    for (const ProcessorTimes& processor : cpu->times()) sum += processor.working;
    return sum;
  }
  for (const std::size_t rank : processes_.of(node)) sum += os_.computed(os_.ranks()[rank], now);
  return sum;
}

std::int64_t KernelCounters::read(std::size_t counter, NodeId node, CounterInstance of, Time now) const {
  const NodeKernel& kernel = os_.node_kernel(node);
  const KernelAccount& account = *kernel.account();
  if (of.part >= parts(counter, node)) return 0;
  switch (KernelCounter{counter}) {
  case KernelCounter::user:
    return os_.computed(os_.ranks()[processes_.of(node)[of.part]], now).ps();
  case KernelCounter::kernel:
    return kernel.system_time(now).ps();
  case KernelCounter::emission:
    return kernel.emitting_time(now).ps();
  case KernelCounter::busy:
    return (user_time(node, now) + kernel.system_time(now) + kernel.emitting_time(now)).ps();
  case KernelCounter::switches: {
    const Cpu* cpu = os_.shared_cpu(node);
    return cpu == nullptr ? 0 : static_cast<std::int64_t>(cpu->times()[of.part].switches);
  }
  case KernelCounter::waits:
    return static_cast<std::int64_t>(account.waits);
  case KernelCounter::system_calls:
    return static_cast<std::int64_t>(account.system_calls);
  case KernelCounter::interrupts:
    return static_cast<std::int64_t>(account.interrupts);
  }
  return 0;
}

// Messages
// --------------------------------------------------------------------------------------------------------------

std::span<const CounterInfo> MessageCounters::counters() const { return counter_list::of_messages; }

std::string MessageCounters::absence(std::size_t) const {
  return os_.has_own_library() || smpi_shows_messages()
             ? ""
             : "this SimGrid shows nothing of SMPI's messages (machine.messages = smpi); mpi.* tells of the calls";
}

void MessageCounters::keep(std::size_t) { os_.keep_traffic(); }

std::uint32_t MessageCounters::parts(std::size_t counter, NodeId node) const {
  switch (counter_list::of_messages[counter].of) {
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

std::int64_t MessageCounters::read(std::size_t counter, NodeId node, CounterInstance of, Time now) const {
  const auto& own = processes_.of(node);
  if (MessageCounter{counter} == MessageCounter::buffers) {
    std::int64_t bytes = 0;
    for (const std::size_t rank : own) bytes += os_.queues(static_cast<int>(rank)).buffered_bytes;
    return bytes;
  }
  if (of.part >= own.size() || of.item >= size_classes) return 0;
  const Traffic::OfRank& kept = os_.traffic().of(own[of.part]);
  const auto queues = [&] { return os_.queues(static_cast<int>(own[of.part])); };
  const auto packets = [&] {
    const PacketNetwork* network = os_.packet_network();
    return network == nullptr ? InterfaceTraffic{} : network->traffic(Station{index(node)});
  };
  const std::uint64_t value = [&]() -> std::uint64_t {
    switch (MessageCounter{counter}) {
    case MessageCounter::sent:
      return kept.sent_by_size[of.item];
    case MessageCounter::received:
      return kept.received_by_size[of.item];
    case MessageCounter::bytes_sent:
      return kept.bytes_sent;
    case MessageCounter::bytes_received:
      return kept.bytes_received;
    case MessageCounter::posted:
      return queues().posted;
    case MessageCounter::unexpected:
      return queues().unexpected;
    case MessageCounter::interface_bytes_sent:
      return os_.traffic().bytes_out(own[of.part], now) + packets().bytes_sent;
    case MessageCounter::interface_bytes_received:
      return os_.traffic().bytes_in(own[of.part], now) + packets().bytes_received;
    case MessageCounter::interface_packets_sent:
      return kept.out.packets + packets().packets_sent;
    case MessageCounter::interface_packets_received:
      return kept.in.packets + packets().packets_received;
    case MessageCounter::buffers:
      break;
    }
    return 0;
  }();
  return static_cast<std::int64_t>(value);
}

} // namespace hypermon
