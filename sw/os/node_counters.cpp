// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/node_counters.hpp"
#include "hw/machine/cpu.hpp"
#include "hw/machine/processors.hpp"
#include "sw/os/counter_list.hpp"

namespace hypermon {

using counter_list::KernelCounter;

Processes::Processes(const OperatingSystem& os) : ranks_(static_cast<std::size_t>(os.kernels.nodes())) {
  for (const RankState& rank : os.ranks.all())
    if (rank.instrumented) ranks_[index(rank.kernel->node())].push_back(static_cast<std::size_t>(rank.rank));
}

std::span<const CounterInfo> KernelCounters::counters() const { return counter_list::of_kernels; }

void KernelCounters::keep(std::size_t) {
  for (int n = 0; n < os_.kernels.nodes(); ++n) os_.kernels.at(NodeId{static_cast<std::uint32_t>(n)}).keep_account();
}

std::uint32_t KernelCounters::parts(std::size_t counter, NodeId node) const {
  switch (counter_list::of_kernels[counter].owner) {
  case CounterOf::process:
    return processes_.count(node);
  case CounterOf::processor:
    return static_cast<std::uint32_t>(os_.execution.processors().design().processors);
  default:
    return 1;
  }
}

Time KernelCounters::user_time(NodeId node, Time now) const {
  Time sum;
  if (const Cpu* cpu = os_.execution.shared_cpu(node)) { // includes daemons and competing processes
    for (const ProcessorTimes& processor : cpu->times()) sum += processor.working;
    return sum;
  }
  for (const std::size_t rank : processes_.on_node(node)) sum += os_.execution.computed(os_.ranks.all()[rank], now);
  return sum;
}

std::int64_t KernelCounters::read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const {
  const NodeKernel& kernel = os_.kernels.at(node);
  const KernelAccount& account = *kernel.account();
  if (instance.part >= parts(counter, node)) return 0;
  switch (KernelCounter{counter}) {
  case KernelCounter::user:
    return os_.execution.computed(os_.ranks.all()[processes_.on_node(node)[instance.part]], now).ps();
  case KernelCounter::kernel:
    return kernel.system_time(now).ps();
  case KernelCounter::emission:
    return kernel.emitting_time(now).ps();
  case KernelCounter::busy:
    return (user_time(node, now) + kernel.system_time(now) + kernel.emitting_time(now)).ps();
  case KernelCounter::switches: {
    const Cpu* cpu = os_.execution.shared_cpu(node);
    return cpu == nullptr ? 0 : static_cast<std::int64_t>(cpu->times()[instance.part].switches);
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

} // namespace hypermon
