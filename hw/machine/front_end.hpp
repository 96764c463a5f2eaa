// SPDX-License-Identifier: BSD-3-Clause
// Where a monitor's own process runs and what it talks over, as its parameters name them: a text for each, empty for
// the place and the network that suggest themselves.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/site.hpp"

#include <string>

namespace hypermon {

/// Empty: the first network beside the program's, or the program's if there is no other. Throws UserError by `path`,
/// the parameter that holds `name`, if the platform has none of that name.
NetworkId network_beside(const Spec& spec, const std::string& name, const std::string& path);
/// `text`: "beside", the first computer beside the machine; a node's number; empty: beside if the network reaches one
/// there, else node 0. Throws UserError by `path`, the parameter that holds it, if it is nothing of these.
Place place_beside(const Spec& spec, NetworkId network, const std::string& text, const std::string& path);

} // namespace hypermon
