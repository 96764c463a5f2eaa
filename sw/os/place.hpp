// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

namespace hypermon {

/// As the source has it: "solve(int)" of "_Z5solvei"; a name that is not C++'s as it is.
std::string plain_name(const std::string& symbol);

/// Where in the object that was loaded there: "solve+0x12 (offset 0x1234 in the program)"; the offset is one that
/// addr2line knows.
std::string place_in_program(const void* address);

} // namespace hypermon
