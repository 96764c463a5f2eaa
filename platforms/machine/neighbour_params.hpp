// Parameters of programs beside the one that is monitored.
#pragma once
#include "hw/core/per_board.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// A further MPI program on nodes of its own; there are none by default.
struct NeighbourParams {
  std::int64_t count = 0;
  std::string workload = "alltoall";
  std::string arguments;
  std::string file;
  std::int64_t nodes = 2;
  std::string placement = "among";
  double start_s = 0;
  std::string until = "own_end";
};
using NeighbourSection = PerBoard<NeighbourParams>;

} // namespace hypermon
