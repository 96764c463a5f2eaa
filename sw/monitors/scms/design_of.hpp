// SPDX-License-Identifier: BSD-3-Clause
// The parameters as the agents' design.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/scms/core/design.hpp"

#include <string>
#include <vector>

namespace hypermon::scms {

/// Of scms.push: resources as their user names them.
struct PushText {
  std::string resources;
  Time period;
};
/// Throws UserError if that is none.
std::vector<PushText> pushes_of(const Spec& spec);

/// Without groups: those need the run's plug-ins. Throws UserError as tree_of does.
Design design_of(const Spec& spec);

/// Where each agent runs, by Peer. Throws UserError if scms.root_node names no place.
std::vector<Place> places_of(const Spec& spec, const Tree& tree);
NetworkId network_of(const Spec& spec);

} // namespace hypermon::scms
