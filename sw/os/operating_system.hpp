// SPDX-License-Identifier: BSD-3-Clause
// The operating system of all computers under a run's programs: its parts, made and wired together. Each part has one
// subject and names those that it works with; nothing else knows all of them.
#pragma once
#include "sw/os/deadlock.hpp"
#include "sw/os/execution.hpp"
#include "sw/os/kernels.hpp"
#include "sw/os/memories.hpp"
#include "sw/os/program_run.hpp"
#include "sw/os/ranks.hpp"
#include "sw/os/wake_ups.hpp"

namespace hypermon {

struct OperatingSystem {
  OperatingSystem(const Spec& spec, Machine& machine, Processors& processors, Monitor& monitor, bool with_host);
  OperatingSystem(const OperatingSystem&) = delete;
  OperatingSystem& operator=(const OperatingSystem&) = delete;
  ~OperatingSystem();
  /// Connects SimGrid's signals and starts the ticks. The ranks' actors come afterwards.
  void start();

  /// Are messages NX/2's (machine.messages = nx2)?
  const bool models_messages;
  /// Is there another MPI library than SMPI's?
  const bool has_own_library;
  WakeUps wake_ups;
  RankTable ranks;
  Kernels kernels;
  Memories memories;
  Execution execution;
  ProgramRun program;
  DeadlockWatch deadlocks;
};

inline OperatingSystem* the_operating_system = nullptr;
/// The one of the process; functions that need one part ask for that: rank_table(), execution(), program_run().
inline OperatingSystem& operating_system() { return *the_operating_system; }

} // namespace hypermon
