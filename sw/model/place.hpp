#pragma once
#include <string>

namespace hypermon {

/// Where in the object that was loaded there: "solve+0x12 (offset 0x1234 in the program)"; the offset is one that
/// addr2line knows.
std::string place_in_program(const void* address);

} // namespace hypermon
