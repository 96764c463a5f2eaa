// SPDX-License-Identifier: BSD-3-Clause
// File access of a program, a parameter of programs with MPI-IO.
#pragma once
#include "base/choice.hpp"

#include <cstdint>

namespace hypermon {

/// No access, independent access of each rank, or collective access.
enum class FileAccess : std::uint8_t { none, independent, collective };
constexpr auto words_of(FileAccess) { return words("none", "independent", "collective"); }

} // namespace hypermon
