// SPDX-License-Identifier: BSD-3-Clause
// Purpose of processor time that is spent on behalf of a rank.
#pragma once
#include <cstdint>

namespace hypermon {

enum class WorkOf : std::uint8_t {
  program, ///< the program's own code
  monitor, ///< work that a monitor adds to the program or does at its expense
  system,  ///< MPI or the operating system
};

} // namespace hypermon
