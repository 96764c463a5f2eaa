// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/measurement.hpp"
#include "base/plain_number.hpp"
#include "base/text_file.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/monitors/tau/control_params.hpp"
#include "sw/monitors/tau/core/overhead_control.hpp"

#include <algorithm>

namespace hypermon::tau {
namespace {

constexpr Time cycle_counter_resolution = 1_ns;         // (chosen) shorter than a timer's cost
constexpr const char* application = ".TAU application"; // encloses all others from the first timer on

/// Reads of the clock have no timers.
bool is_timed(const MpiCall& call) { return call.function() != MpiFunction::Wtime; }

} // namespace

Measurement::Measurement(const Spec& spec, OperatingSystem& os, Transport* transport, ProfileLog& log,
                         const std::filesystem::path& folder)
    : os_(os), params_(spec.get<TauParams>()), costs_(params_), command_(spec.get<TauControlParams>().command_us),
      program_(spec.workload), transport_(transport), log_(log), folder_(folder / "profiles") {
  std::filesystem::create_directories(folder_);
  for (std::size_t f = 0; f < function_names_.size(); ++f)
    function_names_[f] = std::string(mpi_function_names[f]) + "()";
  const Time resolution =
      params_.clock == TauClock::gettimeofday ? Time(params_.resolution_ns) : cycle_counter_resolution;
  const Throttle throttle{params_.throttle, static_cast<std::uint64_t>(params_.throttle_calls), params_.throttle_us};
  const std::vector<NodeClock> clocks = node_clocks(spec);
  for (const RankState& rank : os.ranks.all())
    processes_.push_back(
        rank.program == 0 && rank.instrumented
            ? std::make_unique<Process>(clocks[index(rank.kernel->node())].in_units_of(resolution), throttle)
            : nullptr);
  if (costs_.access > Time{}) shared_clocks_.assign(clocks.size(), SharedClock(costs_.access));
}

// Timers
// ---------------------------------------------------------------------------------------------------------------

void Measurement::work(RankState& rank, Process& process, Time nominal) const {
  const Time before = rank.computation.owed;
  os_.execution.owe(rank, nominal);
  process.measuring += rank.computation.owed - before;
}

void Measurement::begin(RankState& rank, Process& process) const {
  process.begun = true;
  process.profile.start(process.profile.add(application, "TAU_DEFAULT"), process.clock.read(Execution::date(rank)));
  if (transport_ != nullptr && params_.dump == TauDump::period) {
    process.due_local = process.clock.local(Execution::date(rank)) + Time(params_.period_ms);
    process.due = process.clock.when(process.due_local, Execution::date(rank));
  }
}

void Measurement::await_clock(RankState& rank, Process& process) {
  if (shared_clocks_.empty()) [[likely]]
    return;
  SharedClock& clock = shared_clocks_[index(rank.kernel->node())];
  const Time before = process.measuring;
  work(rank, process, clock.reserve(Execution::date(rank) + costs_.until_access, simgrid_now()));
  process.clock_wait += process.measuring - before;
}

void Measurement::start(RankState& rank, Process& process, std::uint32_t routine) {
  look_for_news(rank, process);
  if (process.profile.leaves_out_start(routine)) {
    ++process.looks;
    return work(rank, process, costs_.look);
  }
  ++process.timers;
  await_clock(rank, process);
  process.profile.start(routine, process.clock.read(Execution::date(rank) + costs_.until_read));
  work(rank, process, costs_.start);
}

void Measurement::stop(RankState& rank, Process& process, std::uint32_t routine) {
  look_for_news(rank, process);
  if (process.profile.leaves_out_stop(routine)) return work(rank, process, costs_.look);
  await_clock(rank, process);
  process.profile.stop(routine, process.clock.read(Execution::date(rank) + costs_.until_read));
  work(rank, process, costs_.stop);
}

void Measurement::obey(RankState& rank, Process& process) const {
  process.news = transport_->news();
  const Control* const control = transport_->control(rank);
  if (control == nullptr || control->number == process.control.number) return;
  work(rank, process, command_);
  process.control = *control;
  process.profile.switch_off({control->off.begin(), control->off.end()});
}

std::uint32_t Measurement::function(Process& process, MpiFunction function) const {
  if (process.functions.empty()) process.functions.resize(function_names_.size());
  std::uint32_t& known = process.functions[index(function)];
  if (known == 0) known = process.profile.add(function_names_[index(function)], "MPI") + 1;
  return known - 1;
}

std::uint32_t Measurement::routine(Process& process, const Routine& routine) {
  if (process.routines.size() <= routine.number) process.routines.resize(routine.number + 1);
  std::uint32_t& known = process.routines[routine.number];
  if (known == 0) known = process.profile.add(routine.name, "TAU_USER") + 1;
  return known - 1;
}

void Measurement::enter(const RankState& state, const MpiCall& call) {
  Process* const process = find(state);
  if (process == nullptr || process->ended || !is_timed(call)) return;
  RankState& rank = os_.ranks.self();
  if (!process->begun) begin(rank, *process);
  start(rank, *process, function(*process, call.function()));
  if (call.function() == MpiFunction::Finalize) finish(rank, *process);
}

void Measurement::leave(const RankState& state, const MpiCall& call) {
  Process* const process = find(state);
  if (process == nullptr || process->ended || !is_timed(call)) return;
  RankState& rank = os_.ranks.self();
  stop(rank, *process, function(*process, call.function()));
  dump_if_due(rank, *process);
}

void Measurement::start_timer(RankState& rank, const Routine& started) {
  Process* const process = find(rank);
  if (process == nullptr || process->ended) return;
  if (!process->begun) begin(rank, *process);
  start(rank, *process, routine(*process, started));
  dump_if_due(rank, *process);
}

void Measurement::stop_timer(RankState& rank, const Routine& stopped) {
  Process* const process = find(rank);
  if (process == nullptr || process->ended) return;
  stop(rank, *process, routine(*process, stopped));
  dump_if_due(rank, *process);
}

// Profiles
// ---------------------------------------------------------------------------------------------------------------

void Measurement::dump_point(RankState& rank) {
  Process* const process = find(rank);
  if (process == nullptr || process->ended) return;
  ++process->dump_points;
  if (transport_ == nullptr || params_.dump != TauDump::point) return;
  look_for_news(rank, *process);
  if (++process->points_before < params_.every * process->control.every) return;
  process->points_before = 0;
  dump(rank, *process, false);
}

void Measurement::dump_if_due(RankState& rank, Process& process) {
  if (Execution::date(rank) < process.due || !rank.lifetime.is_initialized) [[likely]]
    return;
  const Time period = Time(params_.period_ms) * process.control.every;
  const Time now = Execution::date(rank);
  process.due_local += period * ((process.clock.local(now) - process.due_local) / period + 1);
  process.due = process.clock.when(process.due_local, now);
  dump(rank, process, false);
}

Metadata Measurement::metadata(const RankState& rank, const Process& process, Time now) const {
  const std::string node = node_name(index(rank.kernel->node()));
  Metadata entries{{"Metric Name", "TIME"},
                   {"Clock", std::string(word(params_.clock))},
                   {"Executable", program_},
                   {"Hostname", node},
                   {"MPI Processor Name", node},
                   {"Node Name", std::to_string(rank.rank)},
                   {OwnCosts::timestamp, std::to_string(process.clock.read_us(now))}};
  if (transport_ == nullptr || !transport_->takes_commands()) return entries;
  entries.insert(entries.end(), {{OwnCosts::control, std::to_string(process.control.number)},
                                 {OwnCosts::timer_us, plain_number((costs_.start + costs_.stop).microseconds())},
                                 {OwnCosts::dumps, std::to_string(process.dumps)},
                                 {OwnCosts::dumping_us, std::to_string(process.dumping.ps() / 1'000'000)}});
  return entries;
}

void Measurement::dump(RankState& rank, Process& process, bool last) {
  await_clock(rank, process);
  os_.execution.pay(rank);
  const Time taken = simgrid_now();
  const std::vector<Line> lines = process.profile.lines(process.clock.read(taken));
  const std::string text = profile_text(lines, metadata(rank, process, taken));
  os_.execution.compute(rank,
                        costs_.reading + Time(params_.line_us) * static_cast<std::int64_t>(lines.size()) +
                            Time(params_.byte_ns) * static_cast<std::int64_t>(text.size()),
                        WorkOf::monitor);
  process.formatting += simgrid_now() - taken;
  if (transport_ != nullptr)
    hand_over(rank, process, {rank.rank, process.dumps, taken, last, process.clock.read(taken)}, text);
  process.longest_dump = std::max(process.longest_dump, simgrid_now() - taken);
  if (!last) {
    process.dumping += process.clock.read(simgrid_now()) - process.clock.read(taken);
    return void(++process.dumps);
  }
  write_text(folder_ / ("profile." + std::to_string(rank.rank) + ".0.0"), [&](std::ostream& file) { file << text; });
}

/// In TAU's order, so that a reader finds only complete files under a dump's name. The last profile has its final name
/// from the start.
void Measurement::hand_over(RankState& rank, Process& process, const Dump& dump, const std::string& text) {
  const Time before = simgrid_now();
  const std::string folder = params_.folders ? "MULTI__TIME" : "";
  const std::string of_process = "." + std::to_string(rank.rank) + ".0.0";
  const auto file = [&](const char* name) { return (folder.empty() ? "" : folder + "/") + name + of_process; };
  if (params_.folders && dump.number == 0) transport_->make_directory(rank, folder);
  log_.dump(dump, text);
  const std::string name = file(dump.last ? "profile" : "temp");
  transport_->open(rank, name);
  transport_->write(rank, name, text);
  transport_->close(rank, name, dump);
  if (!dump.last) transport_->rename(rank, name, file("dump"), dump);
  process.transporting += simgrid_now() - before;
}

/// MPI_Finalize: its timer is still running, as are timers that the program has not stopped. Writing the last profile
/// is not part of the measured program.
void Measurement::finish(RankState& rank, Process& process) {
  const auto running = process.profile.running();
  for (std::size_t i = 1; i < running.size(); ++i) // without the outermost
    if (running[i] != function_names_[index(MpiFunction::Finalize)]) process.unstopped.emplace_back(running[i]);
  process.ended = true;
  os_.execution.pay(rank);
  os_.program.end_measured(rank);
  dump(rank, process, true);
}

} // namespace hypermon::tau
