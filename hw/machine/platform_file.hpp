// SPDX-License-Identifier: BSD-3-Clause
// A machine from a SimGrid platform file (machine.topology = xml). SimGrid aborts or throws if such a file lacks
// something, often only when a message is sent. These complaints concern the user's file and become UserErrors.
#pragma once
#include "base/user_error.hpp"

#include <optional>
#include <string>

namespace hypermon {

/// Loads the platform, root zone included.
/// `name`: the user's file, for messages. `checked`: Python's checked copy, the only file that SimGrid reads; its
/// elements are on the same lines. Throws UserError, or ends the process with status 2, if SimGrid refuses it.
void load_platform_file(const std::string& name, const std::string& checked);

/// Converts SimGrid's error message to a UserError; empty if the message does not concern the platform file.
std::optional<UserError> platform_fault(const std::string& complaint);
/// Converts the last critical message that SimGrid has logged to a UserError, as platform_fault() does.
std::optional<UserError> logged_platform_fault();

} // namespace hypermon
