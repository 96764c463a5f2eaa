// SPDX-License-Identifier: BSD-3-Clause
// A counter as the value of a plug-in's function: one number for all of its instances on a node.
#pragma once
#include "sw/monitors/instances.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermon::scms {

class CounterReader {
public:
  /// The first of these counters that the run has; none if it has none of them.
  static std::optional<CounterReader> first(Counters& counters, const std::vector<const char*>& names);

  CounterId id() const { return id_; }
  /// True if the counter has a single instance, the node.
  bool is_whole() const { return is_whole_; }
  /// The sum of all instances.
  std::int64_t read(NodeId node, Time now) const {
    std::int64_t sum = 0;
    each_instance(*counters_, id_, node,
                  [&](CounterInstance instance) { sum += counters_->read(node, instance, id_, now); });
    return sum;
  }

private:
  CounterReader(const Counters& counters, CounterId id);

  const Counters* counters_;
  CounterId id_;
  bool is_whole_;
};

} // namespace hypermon::scms
