// SPDX-License-Identifier: BSD-3-Clause
// How a program accesses its files: a parameter of those that do MPI-IO.
#pragma once
#include "base/choice.hpp"

#include <cstdint>

namespace hypermon {

/// Not at all; each rank by itself; all ranks together.
enum class FileAccess : std::uint8_t { none, independent, collective };
constexpr auto words_of(FileAccess) { return words("none", "independent", "collective"); }

} // namespace hypermon
