// SPDX-License-Identifier: BSD-3-Clause
// Which nodes a query is for, if not for all that a client wants to know of (TAU over Supermon sec. 7: fewer nodes
// touched).
#pragma once
#include "base/choice.hpp"
#include "sw/monitors/supermon/core/node_runs.hpp"

#include <cstdint>

namespace hypermon::supermon {

enum class NodeSampling : std::uint8_t {
  random, ///< drawn for each query: no pattern of the program can hide in it
  rotate, ///< the next ones, in order: every node is asked as often as every other
};
constexpr auto words_of(NodeSampling) { return words("random", "rotate"); }

struct NodeSample {
  double share = 1; ///< of the nodes, rounded up; 1: all of them
  NodeSampling how = NodeSampling::random;
  std::uint64_t seed = 0; ///< another for each client
};

/// Of `all`, for the client's `number`-th query, from 0 on.
NodeRuns drawn(const NodeRuns& all, const NodeSample& sample, std::uint64_t number);

} // namespace hypermon::supermon
