// SPDX-License-Identifier: BSD-3-Clause
// Selects the nodes of a query, if it does not cover all nodes of its client (TAU over Supermon sec. 7: fewer nodes
// touched).
#pragma once
#include "base/choice.hpp"
#include "sw/monitors/supermon/core/node_runs.hpp"

#include <cstdint>

namespace hypermon::supermon {

enum class NodeSampling : std::uint8_t {
  random, ///< drawn for each query, so that no pattern of the program can hide
  rotate, ///< the next nodes in order: all nodes are queried equally often
};
constexpr auto words_of(NodeSampling) { return words("random", "rotate"); }

struct NodeSample {
  double share = 1; ///< share of the nodes, rounded up; 1: all nodes
  NodeSampling how = NodeSampling::random;
  std::uint64_t seed = 0; ///< different for each client
};

/// The nodes of `all` for the client's query with that number, from 0 on.
NodeRuns drawn(const NodeRuns& all, const NodeSample& sample, std::uint64_t number);

} // namespace hypermon::supermon
