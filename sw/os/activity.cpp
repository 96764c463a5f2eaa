// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/activity.hpp"
#include "base/json_value.hpp"
#include "base/npy_file.hpp"
#include "base/text_file.hpp"
#include "hw/machine/processors.hpp"
#include "sw/os/operating_system.hpp"

#include <algorithm>
#include <utility>

namespace hypermon {

using State = ActivityLog::State;

/// One row of activity.npy.
struct ActivityRow {
  std::int64_t begin_ps;
  std::int64_t end_ps;
  std::int64_t time_ps;
  std::uint32_t rank;
  std::uint32_t state;
};
template <>
inline constexpr const char* npy_type<ActivityRow> =
    "[('begin_ps', '<i8'), ('end_ps', '<i8'), ('time_ps', '<i8'), ('rank', '<u4'), ('state', '<u4')]";

ActivityRecorder::ActivityRecorder(OperatingSystem& os, std::size_t most)
    : os_(os), log_(static_cast<std::size_t>(os.ranks.world_size()), most),
      nodes_(static_cast<std::size_t>(os.kernels.nodes())), ranks_(static_cast<std::size_t>(os.ranks.world_size())) {
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) os.kernels.at(NodeId{n}).tell_of_interrupts(*this);
  for (const RankState& rank : os.ranks.all())
    if (rank.instrumented) node(rank).ranks.push_back(&rank);
  os.execution.tell_activity(*this);
}

bool ActivityRecorder::is_of_program(const RankState& rank) const {
  return static_cast<std::size_t>(rank.rank) < ranks_.size();
}
ActivityRecorder::Rank& ActivityRecorder::entry(const RankState& rank) {
  return ranks_[static_cast<std::size_t>(rank.rank)];
}
ActivityRecorder::Node& ActivityRecorder::node(const RankState& rank) { return nodes_[index(rank.kernel->node())]; }

// Time of the kernels -----------------------------------------------------------------------------------------------

void ActivityRecorder::interrupted(NodeId id, Time begin, Time end, Time for_monitor) {
  Node& node = nodes_[index(id)];
  Time first = Time::never(); // begin of the earliest computation that has not ended
  for (const RankState* rank : node.ranks) first = std::min(first, rank->computation.since);
  auto& all = node.interrupts;
  while (!all.empty() && all.front().end <= first) all.pop_front();
  if (first != Time::never()) all.push_back({begin, end, for_monitor});
}

void ActivityRecorder::kernel_begins(const RankState& rank, Time begin) {
  if (is_of_program(rank)) entry(rank).kernel_began = begin, entry(rank).emission_before = rank.kernel->emission_time();
}

/// Emission time is placed at the beginning of the kernel work: its amount is exact, its position within the work is
/// not.
void ActivityRecorder::kernel_ends(const RankState& rank, Time end, WorkOf whose) {
  if (!is_of_program(rank)) return;
  const Time begin = entry(rank).kernel_began;
  const Time emission = rank.kernel->emission_time() - entry(rank).emission_before;
  add(rank, WorkOf::monitor, begin, whose == WorkOf::monitor ? end : begin + emission);
}

// Computing --------------------------------------------------------------------------------------------------------

void ActivityRecorder::worked(RankState& rank, Time begin, Time end, Time work) {
  if (!is_of_program(rank)) return;
  Time taken = end - begin - work;
  Time at = begin;
  if (rank.instrumented) {
    const auto& all = node(rank).interrupts;
    auto one = std::upper_bound(all.begin(), all.end(), begin, [](Time t, const Interrupt& i) { return t < i.end; });
    for (; one != all.end() && taken > Time{} && one->begin < end; ++one) {
      const Time from = std::max(one->begin, at);
      const Time kept = std::min({one->end - from, end - from, taken});
      progress(rank, at, from);
      add(rank, WorkOf::monitor, from, from + std::min(one->for_monitor, kept));
      at = from + kept;
      taken -= kept;
    }
  }
  // An interrupt may be counted although it still waits for another rank's kernel work. The rank then makes up for it
  // in advance.
  progress(rank, at, end - taken);
}

void ActivityRecorder::executed(const RankState& rank, Time begin, Time end) {
  if (is_of_program(rank)) add(rank, WorkOf::program, begin, end);
}

void ActivityRecorder::joins(RankState& rank) {
  if (!is_of_program(rank) || !rank.instrumented) return;
  auto& tasks = node(rank).tasks;
  if (tasks.empty())
    os_.execution.processors().observe(rank.kernel->node(), [this, &tasks](TaskId task, Time begin, Time end) {
      const auto number = static_cast<std::size_t>(task);
      if (number < tasks.size() && tasks[number] != nullptr) progress(*tasks[number], begin, end);
    });
  const auto number = static_cast<std::size_t>(*rank.processor.task);
  tasks.resize(std::max(tasks.size(), number + 1));
  tasks[number] = &rank;
}

/// The time that the program owes to a monitor comes first (Execution::owe).
void ActivityRecorder::progress(RankState& rank, Time begin, Time end) {
  const Time owed = std::min(rank.computation.owed_to_monitor, end - begin);
  rank.computation.owed_to_monitor -= owed;
  const auto report = [&](WorkOf whose, Time from, Time until) {
    if (until <= from) return;
    if (rank.section.is_open) entry(rank).work[static_cast<std::size_t>(whose)] += until - from;
    add(rank, whose, from, until);
  };
  report(WorkOf::monitor, begin, begin + owed);
  report(rank.computation.works_for, begin + owed, end);
}

void ActivityRecorder::add(const RankState& rank, WorkOf owner, Time begin, Time end) {
  if (owner == WorkOf::system) return;
  log_.add(static_cast<std::size_t>(rank.rank), owner == WorkOf::program ? State::computing : State::monitor, begin,
           end);
}

// The files
// -----------------------------------------------------------------------------------------------------------------

void ActivityRecorder::write(const std::filesystem::path& folder) const {
  NpyFile<ActivityRow> rows(folder / "activity.npy");
  Json ranks = Json::array();
  for (const RankState& rank : os_.ranks.all()) {
    if (!is_of_program(rank) || !rank.instrumented) continue;
    const auto number = static_cast<std::uint32_t>(rank.rank);
    for (const State state : {State::computing, State::monitor})
      log_.for_each(number, state, [&](Time begin, Time end, Time time) {
        rows.append({begin.ps(), end.ps(), time.ps(), number, static_cast<std::uint32_t>(state)});
      });
    const auto& work = ranks_[number].work;
    ranks.push_back({{"node", index(rank.kernel->node())},
                     {"begin_ps", rank.section.begin.ps()},
                     {"end_ps", rank.section.end.ps()},
                     {"program_ps", work[static_cast<std::size_t>(WorkOf::program)].ps()},
                     {"monitor_ps", work[static_cast<std::size_t>(WorkOf::monitor)].ps()},
                     {"system_ps", work[static_cast<std::size_t>(WorkOf::system)].ps()}});
  }
  rows.close();
  const Json all{{"nodes", os_.kernels.nodes()},
                 {"step_ps", log_.step().ps()},
                 {"end_ps", os_.program.program_end().ps()},
                 {"ranks", std::move(ranks)}};
  write_text(folder / "activity.json", [&](std::ostream& file) { file << all.dump() << '\n'; });
}

} // namespace hypermon
