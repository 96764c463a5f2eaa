// SPDX-License-Identifier: BSD-3-Clause
// Parameters of clients for SCMS/RMS's part, and their conditions.
#pragma once
#include "base/parts.hpp"
#include "sw/monitors/scms/core/tree.hpp"

#include <vector>

namespace hypermon::scms {

std::vector<SectionKind> client_sections();
/// Throws UserError if a client's parameters contradict each other, the tree or the machine.
void check_clients(const Spec& spec, const Tree& tree);

} // namespace hypermon::scms
