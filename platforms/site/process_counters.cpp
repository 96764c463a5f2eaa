// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/site/process_counters.hpp"
#include "hw/machine/competitors.hpp"
#include "hw/machine/cpu.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/memory.hpp"
#include "sw/os/memory_counters.hpp"

namespace hypermon {

using counter_list::ProcessCounter;

ProcessCounters::ProcessCounters(const Spec& spec, OperatingSystem& os)
    : os_(os), ranks_(os), ranks_poll_(spec.get<CpuParams>().waiting == WaitingRank::poll),
      at_work_(static_cast<std::size_t>(os.kernels.nodes())), names_{"program"}, daemons_(at_work_.size()) {
  for (const CompetitorKind& kind : competitor_kinds(spec)) number(kind.name);
}

void ProcessCounters::keep(std::size_t counter) {
  if (ProcessCounter{counter} != ProcessCounter::cpu) return;
  kept_ = true;
  for (int n = 0; n < os_.kernels.nodes(); ++n) os_.kernels.at(NodeId{static_cast<std::uint32_t>(n)}).keep_account();
}

std::uint32_t ProcessCounters::number(const std::string& name) {
  if (const auto known = number_of(name, names_)) return *known;
  names_.push_back(name);
  return static_cast<std::uint32_t>(names_.size() - 1);
}

BusyTime* ProcessCounters::work_of(NodeId node, std::uint32_t process) {
  if (!kept_) return nullptr;
  auto& own = daemons_[index(node)];
  if (own.size() <= process) own.resize(process + 1);
  return &own[process];
}

std::string ProcessCounters::absence(std::size_t counter) const {
  return ProcessCounter{counter} == ProcessCounter::working_set ? absence_of_memory(os_) : "";
}

std::vector<std::string> ProcessCounters::items(std::size_t counter) const {
  return ProcessCounter{counter} == ProcessCounter::runnable ? std::vector<std::string>{} : names_;
}

std::int64_t ProcessCounters::read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const {
  if (instance.part > 0) return 0;
  if (ProcessCounter{counter} == ProcessCounter::runnable) return instance.item == 0 ? runnable(node, now) : 0;
  if (instance.item >= names_.size()) return 0;
  return ProcessCounter{counter} == ProcessCounter::cpu ? cpu_time(node, instance.item, now).ps()
                                                        : working_set(node, instance.item, now);
}

std::int64_t ProcessCounters::runnable(NodeId node, Time now) const {
  std::int64_t count = at_work_[index(node)];
  if (const Cpu* cpu = os_.execution.shared_cpu(node)) {
    for (std::uint32_t t = 0; t < cpu->tasks(); ++t) count += cpu->wants_processor(TaskId{t}) ? 1 : 0;
    return count;
  }
  for (const std::size_t r : ranks_.on_node(node)) {
    const RankState& rank = os_.ranks.all()[r];
    count += rank.computation.since <= now || (ranks_poll_ && rank.call.function != nullptr) ? 1 : 0;
  }
  return count;
}

Time ProcessCounters::cpu_time(NodeId node, std::uint32_t process, Time now) const {
  Time sum;
  if (process == 0) {
    for (const std::size_t rank : ranks_.on_node(node)) sum += os_.execution.computed(os_.ranks.all()[rank], now);
  } else if (const Cpu* cpu = os_.execution.shared_cpu(node)) {
    for (std::uint32_t t = 0; t < cpu->tasks(); ++t)
      if (cpu->task(TaskId{t}).name == names_[process]) sum += cpu->used(TaskId{t});
  } else if (const auto& own = daemons_[index(node)]; process < own.size()) {
    sum = own[process].until(now);
  }
  return sum;
}

std::int64_t ProcessCounters::working_set(NodeId node, std::uint32_t process, Time now) const {
  const NodeMemory& memory = *os_.memories.find(node);
  if (process > 0) return memory.resident(names_[process], now);
  std::int64_t sum = 0;
  for (std::uint32_t rank = 0; rank < ranks_.count(node); ++rank) sum += memory.resident(rank, now);
  return sum;
}

} // namespace hypermon
