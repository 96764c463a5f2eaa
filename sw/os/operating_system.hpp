// SPDX-License-Identifier: BSD-3-Clause
// The operating system of all computers that run programs. This class creates its parts and connects them. Each part
// has one subject and refers only to the parts that it uses.
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
  /// Connects SimGrid's signals and starts the ticks. Call it before the ranks' actors are created.
  void start();

  /// True if messages are NX/2's (machine.messages = nx2).
  const bool models_messages;
  /// True if a library of hypermon's carries the messages instead of SMPI's.
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
/// The process has one operating system. Functions that need one part use rank_table(), execution() or program_run().
inline OperatingSystem& operating_system() { return *the_operating_system; }

} // namespace hypermon
