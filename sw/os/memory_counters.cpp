// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/memory_counters.hpp"
#include "hw/machine/memory.hpp"
#include "sw/os/counter_list.hpp"

namespace hypermon {

using counter_list::MemoryCounter;

std::string absence_of_memory(const OperatingSystem& os) {
  return os.memories.find(NodeId{0}) != nullptr ? "" : "memory.node_mb = 0: the nodes' memory is not modelled";
}

std::span<const CounterInfo> MemoryCounters::counters() const { return counter_list::of_memory; }

std::string MemoryCounters::absence(std::size_t) const { return absence_of_memory(os_); }

std::uint32_t MemoryCounters::parts(std::size_t counter, NodeId node) const {
  return counter_list::of_memory[counter].owner == CounterOf::node ? 1 : processes_.count(node);
}

std::int64_t MemoryCounters::read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const {
  if (instance.part >= parts(counter, node)) return 0;
  const NodeMemory& memory = *os_.memories.find(node);
  switch (MemoryCounter{counter}) {
  case MemoryCounter::working_set:
    return memory.resident(instance.part, now);
  case MemoryCounter::page_faults:
    return memory.faults(instance.part);
  case MemoryCounter::pages_read:
    return memory.reads(instance.part);
  case MemoryCounter::available:
    return memory.available(now);
  }
  return 0;
}

} // namespace hypermon
