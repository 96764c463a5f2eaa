// SPDX-License-Identifier: BSD-3-Clause
// How events leave a node. A monitor takes each event at the moment its node's kernel begins to emit it, and says how
// long that keeps the node's CPU: at once, or later, when what it simulates has come that far.
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

/// An event as it happens. `message` and `side` tie the two ends of a message together, for causality.
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
  /// False if the system is not instrumented at all.
  virtual bool records() const { return true; }
  /// Before the program starts: what the monitor finds on the machine, for as long as it lives. It says which counters
  /// it wants, and starts its daemons.
  virtual void start(Site& /*site*/) {}
  /// Records the event; returns the CPU time that it costs the node, from `start` on. Per node, starts do not
  /// decrease and do not overlap.
  /// Nothing, if that is not known yet: the monitor holds the emission, the node emits nothing else, and emission_done
  /// follows after this call has returned. Until then the monitor keeps SimGrid from passing the date at which that
  /// happens (Bridge::Feedback).
  virtual std::optional<Time> emit(const Emission& emission) = 0;
  /// Whom a monitor tells that an emission that it held ends at `end`.
  using EmissionDone = std::function<void(NodeId node, Time end)>;
  void on_emission_done(EmissionDone handler) { emission_done_ = std::move(handler); }
  /// No node will emit anything that starts before `now` any more. Called now and then.
  virtual void advance(Time now) = 0;
  /// The program has ended: nothing was emitted after SimGrid's date `program_end` but what was held then. Everything
  /// still under way is brought to its end.
  virtual void finish(Time program_end) = 0;
  /// Fills the monitor's keys of the result: logged_bytes, ledger, monitor, latency_us, timestamp_error_us,
  /// causality_violations. The run was measured from `begin` to `end`.
  virtual void report(Results& results, Time begin, Time end) const = 0;
  /// After report(): what the monitor leaves in the run's folder is complete, of a run measured from `begin` to `end`.
  virtual void close(Time /*begin*/, Time /*end*/) {}

protected:
  /// From SystemC or SimGrid's maestro, at SimGrid's date `end` or before. The node's next emission may come from
  /// within this call.
  void emission_done(NodeId node, Time end) const { emission_done_(node, end); }

private:
  EmissionDone emission_done_;
};

} // namespace hypermon
