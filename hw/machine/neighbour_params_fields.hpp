// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in neighbour_params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "hw/machine/neighbour_params.hpp"

namespace hypermon {

constexpr auto fields_of(const NeighbourParams*) {
  using P = NeighbourParams;
  return fields(
      Field{"count", &P::count, range(0, 8), "programs",
            "Programs that run at the same time on nodes of their own, and share links and switches with the one that "
            "is monitored.",
            "chosen"}
          .same_of_all(),
      Field{"workload", &P::workload, any_value(), "",
            "As the parameter workload; not matmul, trace and stream. program: neighbour.file.", "chosen"},
      Field{"arguments", &P::arguments, any_value(), "",
            "Words NAME=value: the workload's parameters, where they are not as of the monitored program "
            "(numbers=4096 repeats=100). program: its command line.",
            "chosen"},
      Field{"file", &P::file, file(), "",
            "With neighbour.workload = program: a program that smpicc has built as a shared object.", "chosen"}
          .that_runs("The shared object: its code runs as soon as it is loaded, then its main() once for each rank."),
      Field{"nodes", &P::nodes, range(1, 4096), "", "Its nodes, beyond the parameter nodes.", "chosen"},
      Field{"placement", &P::placement,
            "Where they are in the topology. among: evenly between those of the monitored program; behind: after all "
            "of them.",
            "facts (hpvm): other hosts that share switches"},
      Field{"start_s", &P::start_s, range(0, 1e6), "It starts then.", "chosen"},
      Field{"until", &P::until,
            "own_end: the run lasts until it has ended too. program_end: it is stopped when the monitored program has "
            "ended, and may be one without end.",
            "chosen"});
}
static_assert(all_members_described<NeighbourParams>());

} // namespace hypermon
