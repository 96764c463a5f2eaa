// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/node_runs.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

namespace hypermon::supermon {

std::uint32_t NodeRuns::count() const {
  std::uint32_t nodes = 0;
  for (const Run& run : runs_) nodes += run.to - run.from + 1;
  return nodes;
}

bool NodeRuns::contains(NodeId node) const {
  const auto behind = std::upper_bound(runs_.begin(), runs_.end(), index(node),
                                       [](std::uint32_t n, const Run& run) { return n < run.from; });
  return behind != runs_.begin() && index(node) <= std::prev(behind)->to;
}

NodeRuns NodeRuns::from_nodes(const std::vector<NodeId>& nodes) {
  NodeRuns found;
  for (const NodeId node : nodes) found.append({index(node), index(node)});
  return found;
}

void NodeRuns::append(Run run) {
  if (!runs_.empty() && runs_.back().to + 1 == run.from)
    runs_.back().to = run.to;
  else
    runs_.push_back(run);
}

NodeRuns NodeRuns::both(const NodeRuns& other) const {
  NodeRuns found;
  for (auto a = runs_.begin(), b = other.runs_.begin(); a != runs_.end() && b != other.runs_.end();) {
    const Run shared{std::max(a->from, b->from), std::min(a->to, b->to)};
    if (shared.from <= shared.to) found.append(shared);
    if (a->to < b->to)
      ++a;
    else
      ++b;
  }
  return found;
}

NodeRuns NodeRuns::without(const NodeRuns& other) const {
  NodeRuns found;
  auto b = other.runs_.begin();
  for (Run rest : runs_) {
    while (b != other.runs_.end() && b->to < rest.from) ++b;
    for (auto hole = b; hole != other.runs_.end() && hole->from <= rest.to && rest.from <= rest.to; ++hole) {
      if (hole->from > rest.from) found.append({rest.from, hole->from - 1});
      rest.from = hole->to + 1;
    }
    if (rest.from <= rest.to) found.append(rest);
  }
  return found;
}

NodeRuns NodeRuns::united(const NodeRuns& other) const {
  NodeRuns found;
  const NodeRuns more = other.without(*this);
  std::merge(runs_.begin(), runs_.end(), more.runs_.begin(), more.runs_.end(), std::back_inserter(found.runs_),
             [](const Run& a, const Run& b) { return a.from < b.from; });
  NodeRuns joined;
  for (const Run& run : found.runs_) joined.append(run);
  return joined;
}

std::vector<NodeId> NodeRuns::nodes() const {
  std::vector<NodeId> all;
  for (const Run& run : runs_)
    for (std::uint32_t n = run.from; n <= run.to; ++n) all.push_back(NodeId{n});
  return all;
}

void NodeRuns::write(SexprWriter& out) const {
  for (const Run& run : runs_)
    out.atom(run.from == run.to ? std::to_string(run.from) : std::to_string(run.from) + "-" + std::to_string(run.to));
}

NodeRuns NodeRuns::read(const Sexpr& list) {
  NodeRuns found;
  bool is_name = true;
  for (const Sexpr element : list) {
    if (std::exchange(is_name, false)) continue;
    const std::string_view text = element.text();
    const char* const end = text.data() + text.size();
    Run run{};
    auto [stop, error] = std::from_chars(text.data(), end, run.from);
    run.to = run.from;
    if (error == std::errc() && stop != end && *stop == '-') {
      const auto last = std::from_chars(stop + 1, end, run.to);
      stop = last.ptr;
      error = last.ec;
    }
    const bool is_behind = found.runs_.empty() || found.runs_.back().to < run.from;
    if (element.is_list() || error != std::errc() || stop != end || run.to < run.from || !is_behind)
      throw SexprError(element.at(), "must be nodes in ascending order: a number, or a range like 0-15");
    found.append(run);
  }
  return found;
}

} // namespace hypermon::supermon
