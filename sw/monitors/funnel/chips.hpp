// SPDX-License-Identifier: BSD-3-Clause
// Which chips a machine has, and the funnel of each, by the specification.
#pragma once
#include "base/time.hpp"
#include "hw/funnel/core/design.hpp"

#include <string>

namespace hypermon {

class Spec;

bool is_funnel(const Spec& spec);
std::size_t chips_of(const Spec& spec);
/// Its first node; it has as many as its design has sources.
NodeId first_of(const Spec& spec, std::size_t chip);
TraceFunnelDesign design_of(const Spec& spec, std::size_t chip);
/// Does the node wait where its source is full?
bool holds(const Spec& spec, NodeId node);
/// Does any?
bool any_holds(const Spec& spec);
/// The longest message that every source can take.
std::size_t longest_message(const Spec& spec);
/// Bytes that an event of so many is stored as.
std::size_t stored_bytes(const Spec& spec, std::size_t bytes);

} // namespace hypermon
