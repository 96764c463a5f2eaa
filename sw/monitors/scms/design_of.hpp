// SPDX-License-Identifier: BSD-3-Clause
// Translates the parameters to the agents' design.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/scms/core/design.hpp"

#include <string>
#include <vector>

namespace hypermon::scms {

/// An entry of scms.push, with resources as the user named them.
struct PushText {
  std::string resources;
  Time period;
};
/// Throws UserError if the text is invalid.
std::vector<PushText> pushes_of(const Spec& spec);

/// Design without groups, which need the run's plug-ins. Throws UserError as tree_of() does.
Design design_of(const Spec& spec);

/// Place of each agent, by Peer. Throws UserError if scms.root_node is not a place.
std::vector<Place> places_of(const Spec& spec, const Tree& tree);
NetworkId network_of(const Spec& spec);

} // namespace hypermon::scms
