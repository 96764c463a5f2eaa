// SPDX-License-Identifier: BSD-3-Clause
// The specification of a neighbour program.
#pragma once
#include "base/spec.hpp"

#include <string>

namespace hypermon {

/// The specification that neighbour `number` sees: its workload, with the parameters from its arguments, on its nodes.
/// Throws a UserError that begins with a parameter below `path` ("neighbour[1]") if that is not possible.
Spec neighbour_spec(const Spec& spec, std::size_t number, const std::string& path);

} // namespace hypermon
