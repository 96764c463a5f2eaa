// SPDX-License-Identifier: BSD-3-Clause
// What a client's parameters say of nodes.
#pragma once
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/monitors/scms/core/ids.hpp"

#include <string>

namespace hypermon::scms {

/// Ascending; null: those that RMI lists as live. Throws UserError by `path`, the section.
NodeSet nodes_of_client(const ScmsClientParams& params, std::int64_t nodes, const std::string& path);

} // namespace hypermon::scms
