// SPDX-License-Identifier: BSD-3-Clause
// The path from the capture boards' I/O nodes to the host. Its messages share the hypercube's links and node 0's
// channel with the program's messages.
#pragma once
#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace hypermon {

class Machine;

class DrainLink {
public:
  explicit DrainLink(Machine& machine) : machine_(machine) {}

  /// Sends a message of `bytes` from the board's I/O node at SimGrid's time and calls when_sent(date) when it has
  /// reached the host. Overlapping messages of one board share its link; a caller that wants them one after the other
  /// must wait.
  ///
  /// May be called from an actor, SimGrid's maestro or SystemC. SimGrid must wait for a SystemC process that may call
  /// it (Bridge::Feedback). `when_sent` runs in an actor and accesses SystemC through Bridge::call. Messages that are
  /// under way when the program ends still arrive.
  void send(std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent);

private:
  Machine& machine_;
};

} // namespace hypermon
