// SPDX-License-Identifier: BSD-3-Clause
// What clients bring to SCMS/RMS's part: parameters, and what must hold of them.
#pragma once
#include "base/parts.hpp"
#include "sw/monitors/scms/core/tree.hpp"

#include <vector>

namespace hypermon::scms {

std::vector<SectionKind> client_sections();
/// Throws UserError.
void check_clients(const Spec& spec, const Tree& tree);

} // namespace hypermon::scms
