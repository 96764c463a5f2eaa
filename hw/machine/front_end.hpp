// SPDX-License-Identifier: BSD-3-Clause
// Place and network of a monitor's front end, as its parameters name them. An empty text selects a default.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/site.hpp"

#include <string>

namespace hypermon {

/// `name` empty: the first network besides the program's, or the program's if there is no other. Throws UserError with
/// `path`, the parameter of `name`, if the platform has no network with that name.
NetworkId network_beside(const Spec& spec, const std::string& name, const std::string& path);
/// `text`: "beside", the first computer beside the machine; a node's number; empty: "beside" if the network reaches
/// such a computer, else node 0. Throws UserError with `path`, the parameter of `text`, for any other text.
Place place_beside(const Spec& spec, NetworkId network, const std::string& text, const std::string& path);

} // namespace hypermon
