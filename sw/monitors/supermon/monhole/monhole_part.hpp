// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the monhole's buffer for a monitor's part, and their conditions.
#pragma once
#include "base/parts.hpp"

#include <vector>

namespace hypermon::supermon {

SectionKind monhole_section();
/// Throws UserError if a policy lacks its size.
void check_monhole(const Spec& spec);

} // namespace hypermon::supermon
