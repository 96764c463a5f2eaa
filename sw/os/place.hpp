// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string>

namespace hypermon {

/// Name of a C++ symbol as in the source, "solve(int)" for "_Z5solvei". Other names are returned unchanged.
std::string plain_name(const std::string& symbol);

/// Position of the address in the loaded object: "solve+0x12 (offset 0x1234 in the program)". addr2line accepts the
/// offset.
std::string place_in_program(const void* address);

} // namespace hypermon
