// SPDX-License-Identifier: BSD-3-Clause
// What the monhole's buffer brings to a monitor's part: parameters, and what must hold of them.
#pragma once
#include "base/parts.hpp"

#include <vector>

namespace hypermon::supermon {

SectionKind monhole_section();
/// Throws UserError: a policy without its size.
void check_monhole(const Spec& spec);

} // namespace hypermon::supermon
