// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/condition.hpp"

namespace hypermon::hpvm {

void Condition::arrive(const Sample& sample, Time now) {
  if (sample.counter != counter_ || (item_ && sample.instance.item != *item_)) return;
  Node& node = nodes_[sample.node];
  const auto [place, is_new] = node.last.try_emplace(sample.instance, Last{sample.stamped, sample.value});
  Last& last = place->second;
  auto value = static_cast<double>(sample.value);
  if (!is_value_) {
    const Time since = sample.stamped - last.stamped;
    if (is_new || since <= Time{} || since < shortest_) return;
    const auto growth = static_cast<double>(sample.value - last.value);
    value = is_share_ ? growth / static_cast<double>(since.ps()) : growth / since.seconds();
  }
  const bool had = node.holding > 0;
  node.holding -= last.holds ? 1 : 0;
  last = {sample.stamped, sample.value, is_met(value)};
  node.holding += last.holds ? 1 : 0;
  if (had || node.holding == 0) return;
  ++fired_;
  node.has_held = true;
  if (!first_) first_ = now;
}

bool Condition::holds(NodeId node) const {
  const auto found = nodes_.find(node);
  return found != nodes_.end() && found->second.holding > 0;
}

std::vector<std::uint32_t> Condition::nodes() const {
  std::vector<std::uint32_t> held;
  for (const auto& [id, node] : nodes_)
    if (node.has_held) held.push_back(index(id));
  return held;
}

} // namespace hypermon::hpvm
