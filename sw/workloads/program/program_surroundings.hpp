// SPDX-License-Identifier: BSD-3-Clause
// What a user's program finds around it: environment variables and its working folder. Nothing of the host's, which
// would be in a result and in no specification.
#pragma once
#include "sw/workloads/program/params.hpp"

#include <string>

namespace hypermon {

/// Before the ranks are loaded, whose libraries read the environment. From here on relative paths start in the folder
/// `files` of `directory` (absolute), where hypermon has put program.folder's files. Throws UserError if these are not
/// there, or for what is no variable.
void enter_surroundings(const ProgramParams& program, const std::string& directory);

} // namespace hypermon
