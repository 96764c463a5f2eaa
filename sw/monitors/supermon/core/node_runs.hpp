// SPDX-License-Identifier: BSD-3-Clause
// Sets of nodes as runs of consecutive ones: what queries name, and what answers lack.
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
  static NodeRuns of(NodeId node) { return up_to(index(node), index(node)); }
  /// These, in ascending order.
  static NodeRuns of(const std::vector<NodeId>& nodes);
  /// Nodes 0 to `count` - 1.
  static NodeRuns first(std::uint32_t count) { return count == 0 ? NodeRuns() : up_to(0, count - 1); }

  bool empty() const { return runs_.empty(); }
  std::uint32_t count() const;
  bool contains(NodeId node) const;
  NodeRuns both(const NodeRuns& other) const;
  NodeRuns without(const NodeRuns& other) const;
  NodeRuns with(const NodeRuns& other) const;
  std::vector<NodeId> nodes() const;
  bool operator==(const NodeRuns&) const = default;

  /// An atom a run: 3, or 0-15.
  void write(SexprWriter& out) const;
  /// From the list's elements behind its name. Throws SexprError.
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
  /// Behind all that is there, or next to it.
  void append(Run run);

  std::vector<Run> runs_; // ascending, a gap between two of them
};

} // namespace hypermon::supermon
