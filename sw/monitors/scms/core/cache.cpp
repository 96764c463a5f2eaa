// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/cache.hpp"

#include <algorithm>

namespace hypermon::scms {

Cache::Cache(const Design& design, const Children& children, std::size_t places, Surroundings& around, bool is_last)
    : children_(children), around_(around), is_last_(is_last) {
  for (std::size_t g = 0; g < design.groups.size(); ++g) {
    const ResourceVector& resources = design.groups[g].resources;
    const std::size_t values = places * resources->size();
    const Value nothing{.value = 0, .taken = {}, .ticket = 0, .bytes = 1, .state = State::uncached};
    groups_.push_back(
        {resources, std::vector<Value>(values, nothing), std::vector<bool>(values), std::vector<bool>(places), {}});
    for (std::size_t column = 0; column < resources->size(); ++column)
      where_[(*resources)[column]].push_back({g, column});
  }
}

void Cache::lose(Value& value, Loss why) {
  if (value.ticket != 0) around_.lose(value.ticket, why);
  value.ticket = 0;
}

void Cache::mark(GroupCache& group, std::size_t place) {
  if (group.is_fresh[place]) return;
  group.is_fresh[place] = true;
  group.fresh_rows.push_back(place);
}

void Cache::put(Peer from, const Push& push, bool goes_on, Time now) {
  GroupCache& group = groups_[push.group];
  const std::size_t width = group.resources->size();
  for (std::size_t r = 0; r < push.rows.nodes.size(); ++r) {
    const NodeId node = push.rows.nodes[r];
    const auto values = push.rows.row(r);
    if (children_.via(node) != from) { // the node has moved, or was given up
      for (Value value : values)
        if (!goes_on) lose(value, Loss::left);
      continue;
    }
    const std::size_t place = *children_.place_of(node);
    for (std::size_t c = 0; c < width; ++c) {
      Value& kept = group.values[place * width + c];
      if (values[c].state == State::same) {
        if (kept.state != State::uncached) kept.taken = values[c].taken;
        continue;
      }
      lose(kept, Loss::overwritten);
      kept = values[c];
      if (is_last_ && kept.ticket != 0) around_.arrive(kept.ticket, now);
      if (is_last_ || goes_on) kept.ticket = 0;
      group.unsent[place * width + c] = !is_last_ && !goes_on;
    }
    if (!is_last_ && !goes_on) mark(group, place);
  }
}

Rows Cache::fresh(std::uint32_t group) {
  GroupCache& own = groups_[group];
  const std::size_t width = own.resources->size();
  std::sort(own.fresh_rows.begin(), own.fresh_rows.end());
  Rows rows{own.resources, {}, {}};
  rows.nodes.reserve(own.fresh_rows.size());
  rows.values.reserve(own.fresh_rows.size() * width);
  for (const std::size_t place : own.fresh_rows) {
    own.is_fresh[place] = false;
    rows.nodes.push_back(children_.node_at(place));
    for (std::size_t v = place * width; v < (place + 1) * width; ++v) {
      Value& sent = rows.values.emplace_back(own.values[v]);
      if (!own.unsent[v]) sent.state = State::same;
      own.unsent[v] = false;
      own.values[v].ticket = 0; // the message now carries the sample
    }
  }
  own.fresh_rows.clear();
  return rows;
}

void Cache::all_fresh() {
  if (is_last_) return;
  for (GroupCache& group : groups_) {
    const std::size_t width = group.resources->size();
    for (std::size_t v = 0; v < group.values.size(); ++v) {
      if (group.values[v].state == State::uncached) continue;
      group.unsent[v] = true;
      mark(group, v / width);
    }
  }
}

void Cache::forget(const std::vector<NodeId>& nodes) {
  for (GroupCache& group : groups_) {
    const std::size_t width = group.resources->size();
    for (const NodeId node : nodes) {
      const std::size_t place = children_.place_of(node).value();
      for (std::size_t v = place * width; v < (place + 1) * width; ++v) {
        lose(group.values[v], Loss::left);
        group.values[v] = {.value = 0, .taken = {}, .ticket = 0, .bytes = 1, .state = State::uncached};
        group.unsent[v] = false;
      }
      if (group.is_fresh[place]) std::erase(group.fresh_rows, place);
      group.is_fresh[place] = false;
    }
  }
}

void Cache::look_up(Resource resource, std::size_t column, Rows& rows) const {
  const Value nothing{.value = 0, .taken = {}, .ticket = 0, .bytes = 1, .state = State::uncached};
  const auto found = where_.find(resource);
  for (std::size_t r = 0; r < rows.nodes.size(); ++r) {
    Value& value = rows.row(r)[column];
    value = nothing;
    if (found == where_.end()) continue;
    const std::size_t place = *children_.place_of(rows.nodes[r]);
    for (const At& at : found->second) {
      const GroupCache& group = groups_[at.group];
      const Value& kept = group.values[place * group.resources->size() + at.column];
      if (value.state == State::uncached || kept.taken > value.taken) value = kept;
    }
    value.ticket = 0;
  }
}

} // namespace hypermon::scms
