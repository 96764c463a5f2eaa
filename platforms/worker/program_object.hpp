// SPDX-License-Identifier: BSD-3-Clause
// Why a file is no program that can be loaded, said before the loader is asked, and what the loader says.
#pragma once
#include <string>

namespace hypermon {

/// "program.file = PATH: ".
std::string object_name(const std::string& path);

/// Throws UserError: not a shared object for this machine, or one of another MPI or SimGrid.
void check_program_object(const std::string& path);

/// What the loader said, without the `name` that it knows the object by, and what to do about it.
std::string why_not_loaded(const std::string& said, const std::string& name);

} // namespace hypermon
