// SPDX-License-Identifier: BSD-3-Clause
// What Supermon's processes say to each other. Mons and supermons speak the same, so that a supermon may be above
// either (TAU over Supermon sec. 3.2), and a client below neither knows the difference.
//
//   (query ID (sink CLIENT) (nodes 0-3 7) (kernel COUNTER...) (monhole) (combine WORD) (command EXPRESSION))
//   (answer ID (sample NODE SERIAL STAMP (kernel (COUNTER VALUE...)...) (monhole (entry SOURCE NUMBER STAMP
//   TEXT)...))...
//           (missing 3 5-7))
//   (answer ID (combined ...) (missing ...))   to a query that wants samples combined: combined.hpp
//
// Of a query, what is not wanted is left out; (nodes) alone asks whether somebody is there. ID is the asker's. A sample
// is all that a mon has for one query. Missing are nodes that were asked for and that nobody could be reached for.
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
  std::uint32_t sink = 0; ///< the client for whom it is, from 0 on
  NodeRuns nodes{};
  std::vector<std::string> counters{}; ///< of the kernel's data; none: no kernel data
  bool monhole = false;
  Combining combine = Combining::none; ///< what supermons do with samples
  std::string command{};               ///< an expression for who writes into the monhole; empty: none
};

std::string write(const Query& query);
/// Throws SexprError.
Query read_query(const Sexpr& message);

} // namespace hypermon::supermon
