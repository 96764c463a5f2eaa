// SPDX-License-Identifier: BSD-3-Clause
// The processes beside the ranks (section competitor), and the processors on which they and the ranks may run.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/competitor.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hypermon {

/// One kind of competitor.
struct CompetitorKind {
  std::string path;              ///< path of its parameters
  std::string name;              ///< shown in lists of a node's processes
  std::int64_t memory_bytes = 0; ///< memory of all its threads on one node
  std::vector<std::uint32_t> nodes;
  std::vector<CompetitorDesign> threads; ///< the threads on each of these nodes
};

/// All kinds, in order. Throws UserError if a list names a node or processor that does not exist.
std::vector<CompetitorKind> competitor_kinds(const Spec& spec);

/// The processors on which a node's i-th rank may run; empty: all. Throws UserError if a listed processor does not
/// exist.
std::vector<std::size_t> rank_processors(const Spec& spec, std::size_t of_node);

/// Whether ranks of a node must take turns even without competitors.
bool ranks_share_processors(const Spec& spec);

/// Throws UserError if threads that precede the ranks, and that neither sleep nor end, could leave a rank without a
/// processor for ever.
void check_that_ranks_run(const Spec& spec);

} // namespace hypermon
