// SPDX-License-Identifier: BSD-3-Clause
// Nodes in a client's parameters.
#pragma once
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/monitors/scms/core/ids.hpp"

#include <string>

namespace hypermon::scms {

/// In ascending order; null: the nodes that RMI lists as live. Throws UserError with `path`, the section.
NodeSet nodes_of_client(const ScmsClientParams& params, std::int64_t nodes, const std::string& path);

} // namespace hypermon::scms
