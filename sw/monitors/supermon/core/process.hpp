// SPDX-License-Identifier: BSD-3-Clause
// A process as its computer runs it: a state machine without a clock and without a network of its own. It is serial:
// its shell first lets the CPU time of what it takes pass (Design::costs), then hands it over, then each Send's CPU
// time passes and it is streamed, in their order.
#pragma once
#include "sw/monitors/supermon/core/design.hpp"
#include "sw/monitors/supermon/core/surroundings.hpp"

#include <memory>
#include <vector>

namespace hypermon::supermon {

struct Send {
  Peer to;
  Text text;
  Time cpu; ///< passes first
};
using Outbox = std::vector<Send>;

class Process {
public:
  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  virtual ~Process() = default;

  /// CPU time that passes before it acts on a message of so many bytes.
  virtual Time work(std::size_t bytes) const = 0;
  /// Throws SexprError if that is no message for it.
  virtual void receive(Peer from, const Text& message, Time now, Outbox& out) = 0;
  /// The connection to `peer` is gone.
  virtual void gone(Peer peer, Time now, Outbox& out) = 0;
  /// When it wants to act by itself; never() if it does not.
  virtual Time due() const = 0;
  virtual void act(Time now, Outbox& out) = 0;
  /// It dies: what it has is lost.
  virtual void die(Time now) = 0;
};

} // namespace hypermon::supermon
