// SPDX-License-Identifier: BSD-3-Clause
// The processes beside the ranks that a specification names (section competitor), and where they and the ranks may run.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/competitor.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hypermon {

/// One kind of them.
struct CompetitorKind {
  std::string path;              ///< of its parameters
  std::string name;              ///< for who lists a node's processes
  std::int64_t memory_bytes = 0; ///< of all its threads on a node
  std::vector<std::uint32_t> nodes;
  std::vector<CompetitorDesign> threads; ///< on each of these
};

/// All kinds, in their order. Throws UserError if a list names what there is not.
std::vector<CompetitorKind> competitor_kinds(const Spec& spec);

/// The processors on which a node's i-th rank may run; empty: on all. Throws UserError likewise.
std::vector<std::size_t> rank_processors(const Spec& spec, std::size_t of_node);

/// Do ranks of a node have to take turns even if nobody is beside them?
bool ranks_share_processors(const Spec& spec);

/// Throws UserError if threads that go before the ranks, and neither sleep nor end, could leave a rank no processor for
/// ever.
void check_that_ranks_run(const Spec& spec);

} // namespace hypermon
