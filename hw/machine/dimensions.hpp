// SPDX-License-Identifier: BSD-3-Clause
// machine.dimensions in numbers.
#pragma once
#include "base/spec.hpp"

#include <vector>

namespace hypermon {

struct Dimensions {
  std::vector<unsigned> sizes;   ///< torus: nodes; fat tree: children of a switch at each level, the lowest first
  std::vector<unsigned> parents; ///< fat tree: of a node or switch at each level
  std::vector<unsigned> cables;  ///< fat tree: to each parent
};

/// Of a torus or fat tree. Throws UserError if the text cannot be read, or the product of the sizes is not `nodes`
/// where machine.places does not say which of them are taken.
Dimensions dimensions_of(const Spec& spec);

} // namespace hypermon
