// SPDX-License-Identifier: BSD-3-Clause
// Failures of agents and nodes in scms.failures.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/failures.hpp"
#include "sw/monitors/scms/core/tree.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::scms {

/// Values of Failure::kind. SMAs have their own numbers: 0 is the root.
enum class Mortals : std::uint8_t { agent, node, sma };
inline Mortals mortal(const Failure& failure) { return static_cast<Mortals>(failure.kind); }

/// Returns the failures in the order of the text. Throws UserError if the text is invalid, names an agent or node that
/// does not exist, or stops a node on which a program runs.
std::vector<Failure> failures_of(const Spec& spec, const Tree& tree);

} // namespace hypermon::scms
