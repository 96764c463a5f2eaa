// SPDX-License-Identifier: BSD-3-Clause
// Evaluates for which nodes a rule holds, from the samples that have arrived at the monitor.
#pragma once
#include "sw/monitors/hpvm/rules.hpp"
#include "sw/monitors/sample_log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::hpvm {

/// Evaluates a rule's condition for each node. It knows only the samples that have arrived at the monitor, with
/// timestamps of the nodes' clocks. A node's counter may have several instances (processes, items): the rule holds if
/// one of them meets the condition.
///
/// Growth is computed between consecutive samples that are at least `shortest` apart: where two sweeps coincide, the
/// second sample has no new information.
class Condition {
public:
  /// For the rule's counter, or for one item of it.
  Condition(const Rule& rule, const CounterInfo& info, CounterId counter, std::optional<std::uint32_t> item,
            Time shortest)
      : below_(rule.below), threshold_(rule.threshold), is_value_(shows_value(info.kind)),
        is_share_(is_share(info.kind)), counter_(counter), item_(item), shortest_(shortest) {}

  /// A sample arrives at `now`. Samples of one instance arrive in the order in which they were taken.
  void arrive(const Sample& sample, Time now);
  bool holds(NodeId node) const;

  /// Number of times that the condition became true for a node, its first time, and the nodes for which it was ever
  /// true.
  std::uint64_t fired() const { return fired_; }
  std::optional<Time> first() const { return first_; }
  std::vector<std::uint32_t> nodes() const;

private:
  struct Last {
    Time stamped;
    std::int64_t value;
    bool holds = false;
  };
  struct Node {
    std::map<CounterInstance, Last> last;
    std::size_t holding = 0; // number of instances that meet the condition
    bool has_held = false;
  };
  static bool shows_value(CounterKind kind) { return kind == CounterKind::raw || kind == CounterKind::length; }
  static bool is_share(CounterKind kind) { return kind == CounterKind::timer || kind == CounterKind::percentage; }
  bool is_met(double value) const { return below_ ? value < threshold_ : value > threshold_; }

  bool below_;
  double threshold_;
  bool is_value_;
  bool is_share_;
  CounterId counter_;
  std::optional<std::uint32_t> item_;
  Time shortest_;
  std::map<NodeId, Node> nodes_;
  std::uint64_t fired_ = 0;
  std::optional<Time> first_;
};

} // namespace hypermon::hpvm
