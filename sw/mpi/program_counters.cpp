// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/program_counters.hpp"
#include "base/user_error.hpp"
#include "sw/mpi/file_library.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"
#include "sw/os/counter_list.hpp"

#include <algorithm>

namespace hypermon {
namespace {

using counter_list::ProgramCounter;

constexpr std::size_t functions = mpi_function_names.size();
ProgramCounters* instance = nullptr;

} // namespace

void set_program_counters(ProgramCounters* i) { instance = i; }
bool times_routines(const RankState& rank) { return instance != nullptr && instance->times_routines(rank); }

std::uint32_t ProgramCounters::Names::number(const std::string& name) {
  const auto [it, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(all_.size()));
  if (is_new) all_.push_back(name);
  return it->second;
}

ProgramCounters::ProgramCounters(OperatingSystem& os, const CountersParams& params)
    : os_(os), processes_(os), update_cost_(params.update_us), timer_cost_(params.timer_us),
      ranks_(static_cast<std::size_t>(os.ranks.world_size())) {}

std::span<const CounterInfo> ProgramCounters::counters() const { return counter_list::of_programs; }

void ProgramCounters::keep(std::size_t counter) {
  const ProgramCounter kept{counter};
  if (kept == ProgramCounter::user) return void(counts_user_ = true);
  if (kept >= ProgramCounter::routine_calls) counts_routines_ = true;
  if (observes_) return;
  observes_ = true;
  for (OfRank& rank : ranks_) rank.bytes_sent.resize(functions), rank.bytes_received.resize(functions);
  mpi_layer().observers.add(*this);
}

std::uint32_t ProgramCounters::parts(std::size_t, NodeId node) const { return processes_.count(node); }

std::vector<std::string> ProgramCounters::items(std::size_t counter) const {
  if (ProgramCounter{counter} == ProgramCounter::user) return user_names_.all();
  if (ProgramCounter{counter} == ProgramCounter::sizes) return size_class_names();
  std::vector<std::string> all(mpi_function_names.begin(), mpi_function_names.end());
  if (ProgramCounter{counter} < ProgramCounter::routine_calls) {
    // With SMPI's own MPI-IO only the calls are known, not their data. These functions are the last ones of the list.
    if (file_library() == nullptr)
      std::erase_if(all, [](const std::string& function) { return function.starts_with("MPI_File_"); });
  } else
    all.insert(all.end(), routine_names_.all().begin(), routine_names_.all().end());
  return all;
}

std::optional<std::uint32_t> ProgramCounters::item(std::size_t counter, const std::string& name) {
  if (ProgramCounter{counter} == ProgramCounter::user) return user_names_.number(name);
  const auto known = number_of(name, items(counter));
  if (known || ProgramCounter{counter} < ProgramCounter::routine_calls) return known;
  return static_cast<std::uint32_t>(functions) + routine_names_.number(name);
}

std::int64_t ProgramCounters::read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const {
  const auto& own = processes_.on_node(node);
  if (instance.part >= own.size()) return 0;
  const OfRank& rank = ranks_[own[instance.part]];
  const Time until =
      std::min(now, os_.ranks.all()[own[instance.part]].lifetime.ended_at); // running routines end with the rank
  const auto at = [&](const auto& values) {
    return instance.item < values.size() ? static_cast<std::int64_t>(values[instance.item]) : 0;
  };
  switch (ProgramCounter{counter}) {
  case ProgramCounter::calls:
  case ProgramCounter::routine_calls:
    return static_cast<std::int64_t>(rank.timers.read(instance.item, until).calls);
  case ProgramCounter::time:
  case ProgramCounter::inclusive:
    return rank.timers.read(instance.item, until).inclusive.ps();
  case ProgramCounter::exclusive:
    return rank.timers.read(instance.item, until).exclusive.ps();
  case ProgramCounter::bytes_sent:
    return at(rank.bytes_sent);
  case ProgramCounter::bytes_received:
    return at(rank.bytes_received);
  case ProgramCounter::sizes:
    return at(rank.sizes);
  case ProgramCounter::user:
    return at(rank.user);
  }
  return 0;
}

// Actions of the ranks ---------------------------------------------------------------------------------------------

void ProgramCounters::enter(const RankState& state, const MpiCall& call) {
  OfRank& rank = entry(state);
  const std::size_t function = index(call.function());
  rank.timers.start(static_cast<std::uint32_t>(function), Execution::date(state));
  if (call.sent().bytes <= 0) return;
  rank.bytes_sent[function] += static_cast<std::uint64_t>(call.sent().bytes);
  ++rank.sizes[size_class(call.sent().bytes)];
}

void ProgramCounters::leave(const RankState& state, const MpiCall& call) {
  OfRank& rank = entry(state);
  const std::size_t function = index(call.function());
  rank.timers.stop(static_cast<std::uint32_t>(function), Execution::date(state));
  if (call.failed()) return;
  // At the exit of a receive the received bytes are known; collectives count the room for received data.
  std::int64_t bytes =
      call.completed().empty() && call.comm() != MPI_COMM_NULL && !call.received().peer ? call.received().bytes : 0;
  for (const MpiCall::Completed& completed : call.completed())
    if (completed.status.MPI_SOURCE >= 0) bytes += completed.status.count;
  rank.bytes_received[function] += static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
}

std::int64_t& ProgramCounters::user(const RankState& rank, const std::string& name) {
  auto& values = entry(rank).user;
  const std::uint32_t number = user_names_.number(name);
  if (values.size() <= number) values.resize(number + 1);
  return values[number];
}

void ProgramCounters::set(RankState& rank, const std::string& name, std::int64_t value) {
  if (counts_user_ && update_cost_ > Time{}) os_.execution.compute(rank, update_cost_, WorkOf::monitor);
  user(rank, name) = value;
}

void ProgramCounters::add(RankState& rank, const std::string& name, std::int64_t value) {
  if (counts_user_ && update_cost_ > Time{}) os_.execution.compute(rank, update_cost_, WorkOf::monitor);
  std::int64_t& sum = user(rank, name);
  sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value)); // wraps
}

std::string ProgramCounters::routine_name(std::uint32_t routine) const {
  return routine < functions ? std::string(mpi_function_names[routine]) : routine_names_.all()[routine - functions];
}

Routine ProgramCounters::routine(OfRank& rank, const char* name) {
  const auto [known, is_new] = rank.routines.try_emplace(name, 0);
  if (is_new || routine_names_.all()[known->second] != name) known->second = routine_names_.number(name);
  return {known->second, routine_names_.all()[known->second]};
}

void ProgramCounters::start(RankState& rank, const char* name) {
  if (counts_routines_ && timer_cost_ > Time{}) os_.execution.compute(rank, timer_cost_, WorkOf::monitor);
  const Routine started = routine(entry(rank), name);
  entry(rank).timers.start(static_cast<std::uint32_t>(functions) + started.number, Execution::date(rank));
  for (ProgramObserver* observer : os_.execution.program_observers(rank)) observer->start_timer(rank, started);
}

void ProgramCounters::stop(RankState& rank, const char* name) {
  RoutineTimers& timers = entry(rank).timers;
  const Routine stopped = routine(entry(rank), name);
  if (!timers.stop(static_cast<std::uint32_t>(functions) + stopped.number, Execution::date(rank))) {
    const auto running = timers.running();
    fail_rank(rank.rank, "called hypermon_timer_stop(\"" + stopped.name + "\") " +
                             (running ? "while \"" + routine_name(*running) + "\" was the innermost that ran"
                                      : std::string("while no routine ran")) +
                             ", at " + std::to_string(simgrid_now().seconds()) + " s");
  }
  for (ProgramObserver* observer : os_.execution.program_observers(rank)) observer->stop_timer(rank, stopped);
  if (counts_routines_ && timer_cost_ > Time{}) os_.execution.compute(rank, timer_cost_, WorkOf::monitor);
}

void ProgramCounters::dump(RankState& rank) {
  if (!rank.lifetime.is_initialized || rank.lifetime.is_finalized)
    fail_rank(rank.rank, std::string("called hypermon_profile_dump() ") +
                             (rank.lifetime.is_finalized ? "after MPI_Finalize" : "before MPI_Init") +
                             ": a dump point is within the program's run");
  for (ProgramObserver* observer : os_.execution.program_observers(rank)) observer->dump_point(rank);
}

} // namespace hypermon

using namespace hypermon;

namespace {

/// The calling rank of the monitored program; null if nothing is counted. The rank may still owe time.
RankState* bracketing() {
  RankState* self = instance != nullptr ? rank_table().caller() : nullptr;
  if (self != nullptr && self->program > 0) return nullptr;
  if (self != nullptr) catch_up_with_looks(self->clock_reads);
  return self;
}

/// Like bracketing(), but the rank has slept for the time that it owed.
RankState* counting() {
  RankState* self = bracketing();
  if (self != nullptr) execution().pay(*self);
  return self;
}

} // namespace

/// See sw/include/hypermon.h.
extern "C" {
void hypermon_set_counter(const char* name, long long value) {
  if (RankState* self = counting()) instance->set(*self, name, value);
}
void hypermon_add_counter(const char* name, long long value) {
  if (RankState* self = counting()) instance->add(*self, name, value);
}
void hypermon_start_timer(const char* routine) {
  if (RankState* self = bracketing()) instance->start(*self, routine);
}
void hypermon_stop_timer(const char* routine) {
  if (RankState* self = bracketing()) instance->stop(*self, routine);
}
void hypermon_dump_profile() {
  if (RankState* self = counting()) instance->dump(*self);
}
}
