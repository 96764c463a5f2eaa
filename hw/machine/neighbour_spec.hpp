// SPDX-License-Identifier: BSD-3-Clause
// What runs on a neighbour's nodes.
#pragma once
#include "base/spec.hpp"

#include <string>

namespace hypermon {

/// The specification that the neighbour of that number sees: its workload, with the parameters that its arguments say,
/// on its nodes. Throws UserError that begins with a parameter below `path` ("neighbour[1]") if there is no such thing.
Spec neighbour_spec(const Spec& spec, std::size_t number, const std::string& path);

} // namespace hypermon
