// SPDX-License-Identifier: BSD-3-Clause
// The programs of a run: the monitored one and its neighbours, each with its own ranks and MPI_COMM_WORLD.
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
/// Loads the program for each of its ranks, at the places from `os`, and starts them as section neighbour specifies;
/// the monitored program starts now.
void start_program(const StartedProgram& program, const Spec& spec, OperatingSystem& os);

/// The result's `neighbours`.
ResultRecords report_neighbours(const Spec& spec, const OperatingSystem& os);

} // namespace hypermon
