// SPDX-License-Identifier: BSD-3-Clause
// The run of the monitored program: when its ranks begin and end, the sections that are measured, and its end.
#pragma once
#include "hw/machine/processors.hpp"
#include "sw/os/execution.hpp"
#include "sw/os/kernels.hpp"
#include "sw/os/ranks.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <vector>

namespace hypermon {

/// What a shared node's processors did until the program ended, and what each rank had of them.
struct NodeAccounts {
  std::vector<ProcessorTimes> processors; // empty: not shared
};
struct RankAccounts {
  Time used;
  Time waited;
  std::uint64_t switches = 0;
};

class ProgramRun {
public:
  /// What it works with, which must live longer.
  struct Parts {
    Machine& machine;
    Kernels& kernels;
    RankTable& ranks;
    Execution& execution;
    bool has_start_phases; // the nodes' programs do not start at once
  };
  ProgramRun(const Spec& spec, const Parts& parts);
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  /// There is no program: the nodes run idle from now on until `end`. Instead of ranks, before any part starts.
  void run_idle(Time end);

  // --- from a rank's actor -------------------------------------------------------------------------------------------
  /// MPI_Init has returned / MPI_Finalize is called.
  void begin(RankState& rank);
  void end(RankState& rank);
  /// The measured section, the whole program by default.
  void begin_measured(RankState& rank) const;
  void end_measured(RankState& rank) const;
  /// The rank's process ends.
  void rank_ended(RankState& rank);

  /// When the last instrumented rank came to its end: no node emits anything after it. never() before.
  Time program_end() const { return program_end_; }
  /// Blocks the calling actor, which is no rank's, until then, or until all ranks have come to whatever end.
  void await_program_end();
  /// By node and by rank; empty if no node is shared.
  const std::vector<NodeAccounts>& node_accounts() const { return node_accounts_; }
  const std::vector<RankAccounts>& rank_accounts() const { return rank_accounts_; }

private:
  static void close_section(RankState& rank);
  void program_has_ended();
  void tell_that_it_ended();
  void close_accounts();

  Machine& machine_;
  Kernels& kernels_;
  RankTable& ranks_;
  Execution& execution_;
  Processors& processors_;
  bool has_start_phases_;
  Microseconds start_spread_;
  Time program_end_ = Time::never();
  std::vector<simgrid::s4u::SemaphorePtr> awaiting_end_;
  std::vector<NodeAccounts> node_accounts_;
  std::vector<RankAccounts> rank_accounts_;
};

inline ProgramRun* the_program_run = nullptr;
/// The object of the process: MPI's functions have no argument of ours.
inline ProgramRun& program_run() { return *the_program_run; }

} // namespace hypermon
