// SPDX-License-Identifier: BSD-3-Clause
// Parses machine.dimensions.
#pragma once
#include "base/spec.hpp"

#include <vector>

namespace hypermon {

struct Dimensions {
  std::vector<unsigned> sizes;   ///< torus: nodes; fat tree: children of a switch at each level, the lowest first
  std::vector<unsigned> parents; ///< fat tree: parents of a node or switch at each level
  std::vector<unsigned> cables;  ///< fat tree: cables to each parent
};

/// Dimensions of a torus or fat tree. Throws UserError if the text cannot be parsed, or if the product of the sizes
/// differs from the number of nodes while machine.places does not say which places are used.
Dimensions dimensions_of(const Spec& spec);

} // namespace hypermon
