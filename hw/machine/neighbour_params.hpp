// SPDX-License-Identifier: BSD-3-Clause
// Parameters of programs beside the monitored one.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Places of its nodes in the topology: between those of the monitored program, or after all of them.
enum class Placement : std::uint8_t { among, behind };
constexpr auto words_of(Placement) { return words("among", "behind"); }
/// End of the run.
enum class Until : std::uint8_t { own_end, program_end };
constexpr auto words_of(Until) { return words("own_end", "program_end"); }

/// A further MPI program on nodes of its own. None by default.
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

constexpr auto fields_of(const NeighbourParams*) {
  using P = NeighbourParams;
  return fields(
      Field{"count", &P::count, range(0, 8), "programs",
            "Number of neighbours: programs that run at the same time on their own nodes and share links and switches "
            "with the monitored program.",
            "chosen"}
          .same_of_all(),
      Field{"workload", &P::workload, any_value(), "",
            "Workload of the neighbour, as in the parameter workload; matmul, trace and stream are not allowed. "
            "program: the program in neighbour.file.",
            "chosen"},
      Field{"arguments", &P::arguments, any_value(), "",
            "Parameters of the neighbour's workload as NAME=value, separated by blanks (numbers=4096 repeats=100); the "
            "others are those of the monitored program. With workload = program: the neighbour's command line.",
            "chosen"},
      Field{"file", &P::file, file(), "",
            "Shared object, built by smpicc, that the neighbour runs with neighbour.workload = program.", "chosen"}
          .that_runs("The shared object: its code runs as soon as it is loaded, then its main() once for each rank."),
      Field{"nodes", &P::nodes, range(1, 4096), "",
            "Number of nodes of the neighbour, in addition to the parameter nodes.", "chosen"},
      Field{"placement", &P::placement,
            "Position of the neighbour's nodes in the topology. among: spread evenly between those of the monitored "
            "program. behind: after all of them.",
            "facts (hpvm): other hosts that share switches"},
      Field{"start_s", &P::start_s, range(0, 1e6), "Time at which the neighbour starts.", "chosen"},
      Field{"until", &P::until,
            "Time at which the neighbour ends. own_end: the run lasts until the neighbour has ended too. program_end: "
            "it is stopped when the monitored program ends, and need not end by itself.",
            "chosen"});
}
static_assert(all_members_described<NeighbourParams>());

} // namespace hypermon
