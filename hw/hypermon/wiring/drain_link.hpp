// SPDX-License-Identifier: BSD-3-Clause
// The way from the capture boards' I/O nodes to the host: messages that share the hypercube's links and node 0's
// channel with the program's.
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

  /// A message of `bytes` leaves the board's I/O node at SimGrid's date; calls when_sent(date) at the date at which it
  /// has reached the host. Messages of one board that overlap share its link: who wants them one after the other waits.
  ///
  /// From an actor, SimGrid's maestro or SystemC; a SystemC process that may call this is one that SimGrid has to wait
  /// for (Bridge::Feedback). `when_sent` runs in an actor: what it wants of SystemC it asks by Bridge::call. Messages
  /// that are under way when the program ends still arrive.
  void send(std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent);

private:
  Machine& machine_;
};

} // namespace hypermon
