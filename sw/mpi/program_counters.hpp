// SPDX-License-Identifier: BSD-3-Clause
// Counters of the actions of the program's ranks: their MPI calls, the routines that they bracket with
// hypermon_timer_start() and _stop(), and the program's own counters.
//
// The program's routines and counters are always kept, so that a program with wrong brackets fails under every monitor.
// They take time (counters.*) only if a monitor reads them.
#pragma once
#include "base/counters.hpp"
#include "sw/mpi/counters_params.hpp"
#include "sw/mpi/observer.hpp"
#include "sw/os/node_counters.hpp"
#include "sw/os/timers.hpp"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermon {

class ProgramCounters final : public CounterSource, private MpiObserver {
public:
  ProgramCounters(OperatingSystem& os, const CountersParams& params);
  std::span<const CounterInfo> counters() const override;
  void keep(std::size_t counter) override;
  std::uint32_t parts(std::size_t counter, NodeId node) const override;
  std::vector<std::string> items(std::size_t counter) const override;
  std::optional<std::uint32_t> item(std::size_t counter, const std::string& name) override;
  std::int64_t read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const override;

  // --- from a rank's actor (hypermon.h) ------------------------------------------------------------------------------
  void set(RankState& rank, const std::string& name, std::int64_t value);
  void add(RankState& rank, const std::string& name, std::int64_t value);
  void start(RankState& rank, const char* routine);
  /// Ends the run if another routine runs within this one, or if this one is not running.
  void stop(RankState& rank, const char* routine);
  /// True if the times of the rank's routines are read.
  bool times_routines(const RankState& rank) const {
    return counts_routines_ || !os_.execution.program_observers(rank).empty();
  }
  /// Ends the run if called outside of MPI_Init and MPI_Finalize.
  void dump(RankState& rank);

private:
  /// Names of user counters or of the program's routines, in the order of their first use.
  class Names {
  public:
    std::uint32_t number(const std::string& name);
    const std::vector<std::string>& all() const { return all_; }

  private:
    std::vector<std::string> all_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
  };
  /// A rank's names by address. The program may store another name at the same address later.
  using KnownNames = std::unordered_map<const char*, std::uint32_t>;
  struct OfRank {
    RoutineTimers timers; // MPI functions, then routines
    std::vector<std::uint64_t> bytes_sent;
    std::vector<std::uint64_t> bytes_received;
    std::array<std::uint64_t, size_classes> sizes{};
    std::vector<std::int64_t> user;
    KnownNames routines;
  };
  void enter(const RankState& rank, const MpiCall& call) override;
  void leave(const RankState& rank, const MpiCall& call) override;
  OfRank& entry(const RankState& rank) { return ranks_[static_cast<std::size_t>(rank.rank)]; }
  std::int64_t& user(const RankState& rank, const std::string& name);
  std::string routine_name(std::uint32_t routine) const;
  Routine routine(OfRank& rank, const char* name);

  OperatingSystem& os_;
  Processes processes_;
  Time update_cost_;
  Time timer_cost_;
  bool observes_ = false;
  bool counts_user_ = false;
  bool counts_routines_ = false;
  Names user_names_;
  Names routine_names_;
  std::vector<OfRank> ranks_;
};

/// The process has one instance: the functions of hypermon.h get no argument from hypermon. Null: they do nothing.
void set_program_counters(ProgramCounters* instance);
/// True if the process's instance reads the times of the rank's routines. If not, brackets that serve no other purpose
/// may be omitted (platforms/worker/function_timers.cpp).
bool times_routines(const RankState& rank);

} // namespace hypermon

extern "C" { // sw/include/hypermon.h, for code that brackets routines without the program's help
void hypermon_start_timer(const char* routine);
void hypermon_stop_timer(const char* routine);
}
