// SPDX-License-Identifier: BSD-3-Clause
// Sets of nodes as runs of consecutive numbers: the nodes of a query, and the nodes missing in an answer.
#pragma once
#include "base/time.hpp"
#include "sw/monitors/supermon/core/sexpr.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hypermon::supermon {

class NodeRuns {
public:
  NodeRuns() = default;
  static NodeRuns single(NodeId node) { return up_to(index(node), index(node)); }
  /// The set of `nodes`, which must be in ascending order.
  static NodeRuns from_nodes(const std::vector<NodeId>& nodes);
  /// Nodes 0 to `count` - 1.
  static NodeRuns first(std::uint32_t count) { return count == 0 ? NodeRuns() : up_to(0, count - 1); }

  bool empty() const { return runs_.empty(); }
  std::uint32_t count() const;
  bool contains(NodeId node) const;
  NodeRuns both(const NodeRuns& other) const;
  NodeRuns without(const NodeRuns& other) const;
  NodeRuns united(const NodeRuns& other) const;
  std::vector<NodeId> nodes() const;
  bool operator==(const NodeRuns&) const = default;

  /// Writes one atom for each run: 3, or 0-15.
  void write(SexprWriter& out) const;
  /// Reads the elements after the list's name. Throws SexprError.
  static NodeRuns read(const Sexpr& list);

private:
  struct Run {
    std::uint32_t from;
    std::uint32_t to;
    bool operator==(const Run&) const = default;
  };
  static NodeRuns up_to(std::uint32_t from, std::uint32_t to) {
    NodeRuns one;
    one.runs_.push_back({from, to});
    return one;
  }
  /// The run must be after all existing runs, or adjacent to the last.
  void append(Run run);

  std::vector<Run> runs_; // ascending, with a gap between any two
};

} // namespace hypermon::supermon
