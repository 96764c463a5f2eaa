// SPDX-License-Identifier: BSD-3-Clause
// Finds deadlocks of the program: if nothing can wake a rank any more, the run ends with an error that says what each
// rank waits for.
#pragma once
#include "hw/machine/machine.hpp"
#include "sw/os/ranks.hpp"
#include "sw/os/wake_ups.hpp"

#include <functional>
#include <utility>

namespace hypermon {

class DeadlockWatch {
public:
  /// `smpi_carries`: SMPI carries the messages (machine.messages = smpi).
  DeadlockWatch(Machine& machine, const RankTable& ranks, WakeUps& wake_ups, bool smpi_carries)
      : machine_(machine), ranks_(ranks), wake_ups_(wake_ups), smpi_carries_(smpi_carries) {}
  DeadlockWatch(const DeadlockWatch&) = delete;
  DeadlockWatch& operator=(const DeadlockWatch&) = delete;

  /// Counts the activities that can wake a rank, for runs in which SMPI carries the messages.
  void watch_smpi();
  /// Sets the function that is called at the end of each transfer of an SMPI message, with the communication that
  /// carried it, its begin in seconds and its size.
  void tell_transfers(std::function<void(const void* carrier, double start, double size)> ended) {
    transfer_ended_ = std::move(ended);
  }
  /// The nodes' ticks call check(), so watch() need not start an actor for that.
  void is_watched() { is_watched_ = true; }
  /// Checks for deadlocks from now on even if the nodes have no ticks, because actors other than ranks keep SimGrid
  /// busy. `place`: any host.
  void watch(simgrid::s4u::Host* place, Time period);
  /// Called at a tick. Ends the process if there is a deadlock.
  void check();

private:
  void fail() const;

  Machine& machine_;
  const RankTable& ranks_;
  WakeUps& wake_ups_;
  bool smpi_carries_;
  bool is_watched_ = false;
  std::function<void(const void*, double, double)> transfer_ended_; // empty: no observer
};

} // namespace hypermon
