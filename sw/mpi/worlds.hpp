// SPDX-License-Identifier: BSD-3-Clause
// MPI_COMM_WORLD of each program that runs. It is one variable of SMPI's; a neighbour's object is bound to another one
// before it is loaded (platforms/worker/programs.hpp).
#pragma once
#include <smpi/smpi.h>

#include <cstddef>
#include <string>

namespace hypermon {

inline constexpr std::size_t most_neighbours = 8;

/// Program 0 is the monitored one; its neighbours count from 1.
MPI_Comm& world_of(std::size_t program);
/// The variable's name, as long as the real one.
std::string name_of_world(std::size_t program);

} // namespace hypermon
