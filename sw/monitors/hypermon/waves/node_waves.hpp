// SPDX-License-Identifier: BSD-3-Clause
// The waves of the nodes: the activity of each rank, derived from its node's events, and the output of each port, which
// the backplane passes on.
#pragma once
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue.hpp"
#include "sw/monitors/hypermon/waves/signal_values.hpp"
#include <deque>
#include <optional>
#include <queue>

namespace hypermon {

/// Activity of a rank. It is `emitting` while its node's CPU writes an event, also that of an interrupt. Otherwise it
/// follows from the brackets of NX/2's calls (sw/os/system_call.hpp).
enum class Activity : std::uint8_t {
  absent,
  computing,
  sending,   ///< in csend or isend
  receiving, ///< in crecv, irecv or a probe
  waiting,   ///< in msgwait, or blocked in any call
  calling,   ///< in another system call
  emitting
};

class NodeWaves {
public:
  /// The signals rank<n>.state and rank<n>.event of all nodes, then those of each board: board<b>.port[i].strobe and
  /// .data of all its nodes, then board<b>.backplane.slot[i].strobe and .data.
  static std::vector<Signal> signals(const Spec& spec);
  /// Number of a board's signals per node.
  static constexpr std::size_t board_signals_per_node = 4;

  NodeWaves(const Spec& spec, const std::vector<bool>& wanted);

  /// The next burst of a node, strobed at its port from `first` on.
  void burst(std::uint32_t node, Time first, Time spacing, std::span<const std::uint8_t> data);
  /// Waves from `from` on and before `to`. All bursts first strobed before `from` must have been added.
  void begin(Time from, Time to);
  /// All bursts first strobed before until + lead() have been added.
  void advance(Time until);
  /// Longest time from the beginning of an emission to its first strobe.
  Time lead() const { return lead_; }
  std::vector<Change>& changes() { return values_->changes(); }

private:
  struct Emission {
    Time start, first, spacing;
    std::int64_t strobes;
    std::uint8_t event; // type + 1; 0: not an event of the catalogue
    Activity then;      // activity after the emission
    std::vector<std::uint8_t> data;
  };
  struct Node {
    Time datum_cost;
    Activity now = Activity::absent;  // without emissions
    Activity call = Activity::absent; // current call, also while the rank is `waiting`
    std::deque<Emission> emissions;   // the last emission; after begin(), all emissions that the waves have not passed
    std::int64_t step = 0;            // of the first emission: 0 its begin, then two for each datum, last its end
    std::uint32_t port = 0, slot = 0; // numbers of the port's and the slot's strobe; their data follow
  };
  struct Next {
    Time time;
    std::uint32_t node;
    bool operator<(const Next& other) const { return time != other.time ? time > other.time : node > other.node; }
  };
  Activity after(const Node& node, const Event& event) const;
  /// `step`: at least 1.
  static Time time_of(const Emission& e, std::int64_t step);
  void step(std::uint32_t n, Time now);
  std::uint32_t state(std::uint32_t n) const { return 2 * n; }
  std::uint32_t event(std::uint32_t n) const { return 2 * n + 1; }

  Catalogue catalogue_;
  bool decodes_; // false: bursts are opaque
  std::int64_t width_bits_;
  std::vector<Signal> signals_;
  std::vector<bool> wanted_;
  std::vector<Node> nodes_;
  Time lead_;
  Time to_;
  std::optional<SignalValues> values_; // set by begin()
  std::priority_queue<Next> next_;
};

} // namespace hypermon
