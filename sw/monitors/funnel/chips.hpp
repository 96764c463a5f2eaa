// SPDX-License-Identifier: BSD-3-Clause
// The chips of a machine and their funnels, according to the specification.
#pragma once
#include "base/time.hpp"
#include "hw/funnel/core/design.hpp"

#include <string>

namespace hypermon {

class Spec;

bool is_funnel(const Spec& spec);
std::size_t chips_of(const Spec& spec);
/// First node of the chip. The chip has as many nodes as its design has sources.
NodeId first_of(const Spec& spec, std::size_t chip);
TraceFunnelDesign design_of(const Spec& spec, std::size_t chip);
/// True if the node waits when its source is full.
bool holds(const Spec& spec, NodeId node);
/// True if any node waits in this case.
bool any_holds(const Spec& spec);
/// Largest length of a message that every source accepts.
std::size_t longest_message(const Spec& spec);
/// Number of bytes that are stored for an event of `bytes` bytes.
std::size_t stored_bytes(const Spec& spec, std::size_t bytes);

} // namespace hypermon
