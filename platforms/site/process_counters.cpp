#include "platforms/site/process_counters.hpp"
#include "platforms/machine/competitors.hpp"
#include "sw/model/cpu.hpp"

namespace hypermon {

ProcessCounters::ProcessCounters(const Spec& spec, Nx2& os)
    : os_(os), ranks_(os), names_{"program"}, daemons_(static_cast<std::size_t>(os.nodes())) {
  for (const CompetitorKind& kind : competitor_kinds(spec)) number(kind.name);
}

void ProcessCounters::keep(std::size_t) {
  kept_ = true;
  for (int n = 0; n < os_.nodes(); ++n) os_.node_kernel(NodeId{static_cast<std::uint32_t>(n)}).keep_account();
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

std::int64_t ProcessCounters::read(std::size_t, NodeId node, CounterInstance of, Time now) const {
  Time sum;
  if (of.part > 0 || of.item >= names_.size()) return 0;
  if (of.item == 0) {
    for (const std::size_t rank : ranks_.of(node)) sum += os_.computed(os_.ranks()[rank], now);
  } else if (const Cpu* cpu = os_.shared_cpu(node)) {
    for (std::uint32_t t = 0; t < cpu->tasks(); ++t)
      if (cpu->task(TaskId{t}).name == names_[of.item]) sum += cpu->used(TaskId{t});
  } else if (const auto& own = daemons_[index(node)]; of.item < own.size()) {
    sum = own[of.item].until(now);
  }
  return sum.ps();
}

} // namespace hypermon
