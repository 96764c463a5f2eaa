// SPDX-License-Identifier: BSD-3-Clause
// The environment of a user's program: environment variables and its working folder. Nothing of the host's is visible,
// because it would influence the result without being in the specification.
#pragma once
#include "sw/workloads/program/params.hpp"

#include <string>

namespace hypermon {

/// Call before the ranks are loaded, because their libraries read the environment. From here on relative paths start in
/// the folder `files` of `directory` (absolute), where hypermon has put program.folder's files. Throws UserError if
/// these are missing, or for an invalid variable.
void enter_surroundings(const ProgramParams& program, const std::string& directory);

} // namespace hypermon
