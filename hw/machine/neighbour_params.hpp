// SPDX-License-Identifier: BSD-3-Clause
// Parameters of programs beside the one that is monitored.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Where its nodes are in the topology: between those of the monitored program, or after all of them.
enum class Placement : std::uint8_t { among, behind };
constexpr auto words_of(Placement) { return words("among", "behind"); }
/// Until when the run lasts.
enum class Until : std::uint8_t { own_end, program_end };
constexpr auto words_of(Until) { return words("own_end", "program_end"); }

/// A further MPI program on nodes of its own; there are none by default.
struct NeighbourParams {
  std::int64_t count = 0;
  std::string workload = "alltoall";
  std::string arguments;
  std::string file;
  std::int64_t nodes = 2;
  Placement placement = Placement::among;
  Seconds start_s = 0;
  Until until = Until::own_end;
};
using NeighbourSection = Several<NeighbourParams>;

} // namespace hypermon
