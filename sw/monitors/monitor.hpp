// SPDX-License-Identifier: BSD-3-Clause
// Interface of a monitor. A monitor gets each event when its node's kernel begins to emit it, and tells how long the
// emission occupies the node's CPU: at once, or later, when its own simulation has advanced far enough.
#pragma once
#include "base/results.hpp"
#include "base/time.hpp"
#include "hw/machine/node_clock.hpp"
#include "sw/instrumentation/causality.hpp"
#include "sw/instrumentation/record.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace hypermon {

class Site;

/// An event at the time of its emission. `message` and `side` identify the two ends of a message, to check causality.
struct Emission {
  NodeId node{};
  Event event;
  Time start;
  std::uint64_t message = 0;
  MessageSide side = MessageSide::none;
};

class Monitor {
public:
  virtual ~Monitor() = default;
  /// False if the system is not instrumented.
  virtual bool records() const { return true; }
  /// Called before the program starts. `site` gives access to the machine for the monitor's lifetime. The monitor
  /// requests the counters that it needs and starts its daemons.
  virtual void start(Site& /*site*/) {}
  /// Records the event. Returns the CPU time of the emission from `start` on. The emissions of a node do not overlap
  /// and are in ascending order.
  ///
  /// Without a value the time is not known yet: the monitor holds the emission, the node emits nothing else, and
  /// emission_done() follows after this call has returned. Until then the monitor keeps SimGrid from passing the time
  /// at which the emission ends (Bridge::Feedback).
  virtual std::optional<Time> emit(const Emission& emission) = 0;
  /// Callback for the end of a held emission: it ends at `end`.
  using EmissionDone = std::function<void(NodeId node, Time end)>;
  void on_emission_done(EmissionDone handler) { emission_done_ = std::move(handler); }
  /// No node will start an emission before `now`. Called from time to time.
  virtual void advance(Time now) = 0;
  /// The program has ended at the simulated time `program_end`. Only emissions held at that time may follow. Completes
  /// everything that is still under way.
  virtual void finish(Time program_end) = 0;
  /// Sets the monitor's keys in the result: logged_bytes, ledger, monitor, latency_us, timestamp_error_us,
  /// causality_violations. The run was measured from `begin` to `end`.
  virtual void report(Results& results, Time begin, Time end) const = 0;
  /// Called after report(): completes the monitor's files in the run's folder. The run was measured from `begin` to
  /// `end`.
  virtual void close(Time /*begin*/, Time /*end*/) {}

protected:
  /// Called from SystemC or SimGrid's maestro, at the simulated time `end` or before. The node may emit its next event
  /// within this call.
  void emission_done(NodeId node, Time end) const { emission_done_(node, end); }

private:
  EmissionDone emission_done_;
};

} // namespace hypermon
