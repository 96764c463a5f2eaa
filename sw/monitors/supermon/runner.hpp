// SPDX-License-Identifier: BSD-3-Clause
// Runs a process on its computer: it receives, computes and sends, one at a time, and dies at given times.
#pragma once
#include "sw/monitors/deaths.hpp"
#include "sw/monitors/supermon/core/mon.hpp"
#include "sw/monitors/supermon/wiring.hpp"
#include "sw/monitors/supermon/writer.hpp"

#include <deque>
#include <functional>
#include <memory>

namespace hypermon::supermon {

class Runner {
public:
  /// `make`: makes a new process, at the begin and after each death. References must outlive this object.
  Runner(Wiring& wiring, Peer self, std::function<std::unique_ptr<Process>()> make, Deaths deaths);

  /// Does not return.
  void run(Daemon& self);

  /// Null while the process is dead.
  const Process* process() const { return process_.get(); }
  /// Called before a process dies, so that its counts can be saved.
  void on_death(std::function<void(const Process&)> handler) { on_death_ = std::move(handler); }
  std::uint32_t incarnations() const { return incarnations_; }
  std::size_t longest_queue() const { return longest_; }
  Time longest_at() const { return longest_at_; }

private:
  void take(Datagram datagram, Time now);
  void handle(Daemon& self);
  void die(Daemon& self);

  Wiring& wiring_;
  Peer self_;
  std::function<std::unique_ptr<Process>()> make_;
  Deaths deaths_;
  std::unique_ptr<Process> process_;
  std::function<void(const Process&)> on_death_;
  std::uint32_t incarnations_ = 1;
  std::deque<Datagram> queue_;
  std::size_t longest_ = 0;
  Time longest_at_;
};

} // namespace hypermon::supermon
