// SPDX-License-Identifier: BSD-3-Clause
// The messages between Supermon's processes. Mons and supermons use the same messages, so that a supermon may be above
// either (TAU over Supermon sec. 3.2), and clients cannot tell them apart.
//
//   (query ID (sink CLIENT) (nodes 0-3 7) (kernel COUNTER...) (monhole) (combine WORD) (command EXPRESSION))
//   (answer ID (sample NODE SERIAL STAMP (kernel (COUNTER VALUE...)...) (monhole (entry SOURCE NUMBER STAMP
//   TEXT)...))...
//           (missing 3 5-7))
//   (answer ID (combined ...) (missing ...))   to a query for combined samples: combined.hpp
//
// A query omits the data that it does not request; with (nodes) alone it only tests whether the peer is alive. ID is
// chosen by the sender of the query. A sample has all data of a mon for one query. Missing are nodes of the query that
// could not be reached.
#pragma once
#include "sw/monitors/supermon/core/combined.hpp"
#include "sw/monitors/supermon/core/node_runs.hpp"
#include "sw/monitors/supermon/core/sexpr.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hypermon::supermon {

struct Query {
  std::uint64_t id = 0;
  std::uint32_t sink = 0; ///< the client of the query, from 0 on
  NodeRuns nodes{};
  std::vector<std::string> counters{}; ///< counters of the kernel's data; empty: no kernel data
  bool monhole = false;
  Combining combine = Combining::none; ///< treatment of samples in supermons
  std::string command{};               ///< an expression for the programs that write into the monhole; empty: none
};

std::string write(const Query& query);
/// Throws SexprError.
Query read_query(const Sexpr& message);

} // namespace hypermon::supermon
