// SPDX-License-Identifier: BSD-3-Clause
// Whom a processor works for while it works for a rank.
#pragma once
#include <cstdint>

namespace hypermon {

enum class WorkOf : std::uint8_t {
  program, ///< its own code
  monitor, ///< what a monitor adds to it, or takes from it
  system,  ///< MPI, or the operating system
};

} // namespace hypermon
