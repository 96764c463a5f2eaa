// SPDX-License-Identifier: BSD-3-Clause
// A process as a state machine without network. It is serial: its runner first spends the CPU time of an input
// (Design::costs), then passes it to the process, and then for each Send in order spends its CPU time and sends it.
// Times are true times; its timers follow the clock of its computer.
#pragma once
#include "sw/monitors/supermon/core/design.hpp"
#include "sw/monitors/supermon/core/surroundings.hpp"

#include <memory>
#include <vector>

namespace hypermon::supermon {

struct Send {
  Peer to;
  Text text;
  Time cpu; ///< CPU time that is spent before the message is sent
};
using Outbox = std::vector<Send>;

class Process {
public:
  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  virtual ~Process() = default;

  /// CPU time before it acts on a message of `bytes` bytes.
  virtual Time work(std::size_t bytes) const = 0;
  /// Throws SexprError if the message is invalid for it.
  virtual void receive(Peer from, const Text& message, Time now, Outbox& out) = 0;
  /// The connection to `peer` is broken.
  virtual void gone(Peer peer, Time now, Outbox& out) = 0;
  /// Next time at which it acts without an input; never() if there is none.
  virtual Time due() const = 0;
  virtual void act(Time now, Outbox& out) = 0;
  /// It dies, and its data are lost.
  virtual void die(Time now) = 0;
};

} // namespace hypermon::supermon
