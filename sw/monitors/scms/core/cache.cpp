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

void Cache::mark(Of& of, std::size_t place) {
  if (of.is_fresh[place]) return;
  of.is_fresh[place] = true;
  of.fresh_rows.push_back(place);
}

void Cache::put(Peer from, const Push& push, bool goes_on, Time now) {
  Of& of = groups_[push.group];
  const std::size_t width = of.resources->size();
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
      Value& kept = of.values[place * width + c];
      if (values[c].state == State::same) {
        if (kept.state != State::uncached) kept.taken = values[c].taken;
        continue;
      }
      lose(kept, Loss::overwritten);
      kept = values[c];
      if (is_last_ && kept.ticket != 0) around_.arrive(kept.ticket, now);
      if (is_last_ || goes_on) kept.ticket = 0;
      of.unsent[place * width + c] = !is_last_ && !goes_on;
    }
    if (!is_last_ && !goes_on) mark(of, place);
  }
}

Rows Cache::fresh(std::uint32_t group) {
  Of& of = groups_[group];
  const std::size_t width = of.resources->size();
  std::sort(of.fresh_rows.begin(), of.fresh_rows.end());
  Rows rows{of.resources, {}, {}};
  rows.nodes.reserve(of.fresh_rows.size());
  rows.values.reserve(of.fresh_rows.size() * width);
  for (const std::size_t place : of.fresh_rows) {
    of.is_fresh[place] = false;
    rows.nodes.push_back(children_.node_at(place));
    for (std::size_t v = place * width; v < (place + 1) * width; ++v) {
      Value& sent = rows.values.emplace_back(of.values[v]);
      if (!of.unsent[v]) sent.state = State::same;
      of.unsent[v] = false;
      of.values[v].ticket = 0; // the message now has it
    }
  }
  of.fresh_rows.clear();
  return rows;
}

void Cache::all_fresh() {
  if (is_last_) return;
  for (Of& of : groups_) {
    const std::size_t width = of.resources->size();
    for (std::size_t v = 0; v < of.values.size(); ++v) {
      if (of.values[v].state == State::uncached) continue;
      of.unsent[v] = true;
      mark(of, v / width);
    }
  }
}

void Cache::forget(const std::vector<NodeId>& nodes) {
  for (Of& of : groups_) {
    const std::size_t width = of.resources->size();
    for (const NodeId node : nodes) {
      const std::size_t place = children_.place_of(node).value();
      for (std::size_t v = place * width; v < (place + 1) * width; ++v) {
        lose(of.values[v], Loss::left);
        of.values[v] = {.value = 0, .taken = {}, .ticket = 0, .bytes = 1, .state = State::uncached};
        of.unsent[v] = false;
      }
      if (of.is_fresh[place]) std::erase(of.fresh_rows, place);
      of.is_fresh[place] = false;
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
      const Of& of = groups_[at.group];
      const Value& kept = of.values[place * of.resources->size() + at.column];
      if (value.state == State::uncached || kept.taken > value.taken) value = kept;
    }
    value.ticket = 0;
  }
}

} // namespace hypermon::scms
