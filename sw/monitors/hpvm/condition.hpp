// SPDX-License-Identifier: BSD-3-Clause
// When a rule holds: for which nodes, by what has arrived at the monitor.
#pragma once
#include "sw/monitors/hpvm/rules.hpp"
#include "sw/monitors/sample_log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::hpvm {

/// Does a rule's condition hold for which nodes? It knows what has arrived at the monitor: values under the nodes' own
/// clocks. A node's counter may have several instances (processes, items): one that fulfils it is enough.
///
/// Growth is judged from one sample to the next, but not over less than `shortest`: where two sweeps meet, the second
/// sample says nothing that the first did not.
class Condition {
public:
  /// Of the rule's counter, or of one item of it.
  Condition(const Rule& rule, const CounterInfo& info, CounterId counter, std::optional<std::uint32_t> item,
            Time shortest)
      : below_(rule.below), threshold_(rule.threshold), is_value_(shows_value(info.kind)),
        is_share_(is_share(info.kind)), counter_(counter), item_(item), shortest_(shortest) {}

  /// At `now`; samples of one instance arrive in the order in which they were taken.
  void arrive(const Sample& sample, Time now);
  bool holds(NodeId node) const;

  /// How often it began to hold for a node, when first, for which nodes ever.
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
    std::size_t holding = 0; // instances
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
