// SPDX-License-Identifier: BSD-3-Clause
// The run of the monitored program: begin and end of its ranks, the measured sections and the end of the program.
#pragma once
#include "hw/machine/processors.hpp"
#include "sw/os/execution.hpp"
#include "sw/os/kernels.hpp"
#include "sw/os/ranks.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <vector>

namespace hypermon {

/// Activity of a shared node's processors until the program ended, and the processor time that each rank got.
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
  /// The other parts of the simulation. They must outlive this object.
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

  /// Runs the nodes idle from now until `end`, without a program. Call it instead of creating ranks, before any part
  /// starts.
  void run_idle(Time end);

  // --- from a rank's actor -------------------------------------------------------------------------------------------
  /// MPI_Init has returned, or MPI_Finalize is called.
  void begin(RankState& rank);
  void end(RankState& rank);
  /// Begin and end of the measured section, which is the whole program by default.
  void begin_measured(RankState& rank) const;
  void end_measured(RankState& rank) const;
  /// The rank's process ends.
  void rank_ended(RankState& rank);

  /// Time at which the last instrumented rank ended; never() before. No node emits an event after it.
  Time program_end() const { return program_end_; }
  /// Blocks the calling actor, which must not be a rank, until the program's end or until all ranks have ended in any
  /// way.
  void await_program_end();
  /// Accounts by node and by rank; empty if no node is shared.
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
/// The process has one program run: MPI's functions get no argument from hypermon.
inline ProgramRun& program_run() { return *the_program_run; }

} // namespace hypermon
