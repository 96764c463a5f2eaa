// SPDX-License-Identifier: BSD-3-Clause
// Checks of a program's file before it is loaded, and explanations of the loader's errors.
#pragma once
#include <string>

namespace hypermon {

/// "program.file = PATH: ".
std::string object_name(const std::string& path);

/// Throws UserError if the file is no shared object for this machine or was built for another MPI or SimGrid.
void check_program_object(const std::string& path);

/// The loader's message without `name`, under which it knows the object, and with advice.
std::string why_not_loaded(const std::string& message, const std::string& name);

} // namespace hypermon
