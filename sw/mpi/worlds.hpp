// SPDX-License-Identifier: BSD-3-Clause
// MPI_COMM_WORLD of each running program. It is one variable of SMPI; before a neighbour's object is loaded, it is
// bound to another variable (platforms/worker/programs.hpp).
#pragma once
#include <smpi/smpi.h>

#include <cstddef>
#include <string>

namespace hypermon {

inline constexpr std::size_t most_neighbours = 8;

/// Program 0 is the monitored one; its neighbours count from 1.
MPI_Comm& world_of(std::size_t program);
/// Name of the program's variable, as long as the original name.
std::string name_of_world(std::size_t program);

} // namespace hypermon
