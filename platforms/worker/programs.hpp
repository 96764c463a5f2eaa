// SPDX-License-Identifier: BSD-3-Clause
// The programs of a run: the one that is monitored and its neighbours, each with ranks and an MPI_COMM_WORLD of its
// own.
#pragma once
#include "base/results.hpp"
#include "sw/os/operating_system.hpp"

#include <string>
#include <vector>

namespace hypermon {

struct StartedProgram {
  std::size_t number = 0; ///< 0: the monitored one; its neighbours from 1 on
  std::string object;
  std::vector<std::string> arguments;
};
/// Loads the program for each of its ranks, on the places that `os` has for them, and starts them as section neighbour
/// says; the monitored one now.
void start_program(const StartedProgram& program, const Spec& spec, OperatingSystem& os);

/// The result's `neighbours`.
ResultRecords report_neighbours(const Spec& spec, const OperatingSystem& os);

} // namespace hypermon
