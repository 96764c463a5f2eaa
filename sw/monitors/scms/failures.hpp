// SPDX-License-Identifier: BSD-3-Clause
// Who dies when, as scms.failures says.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/failures.hpp"
#include "sw/monitors/scms/core/tree.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::scms {

/// Failure::kind. Of an SMA the number is among the SMAs: 0 is the root.
enum class Mortals : std::uint8_t { agent, node, sma };
inline Mortals mortal(const Failure& failure) { return static_cast<Mortals>(failure.kind); }

/// In the order of the text. Throws UserError if it cannot be read, names somebody who is not there, or has a node die
/// on which a program runs.
std::vector<Failure> failures_of(const Spec& spec, const Tree& tree);

} // namespace hypermon::scms
