// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/lu/params.hpp"

namespace hypermon {

constexpr auto fields_of(const LuParams*) {
  using P = LuParams;
  return fields(
      Field{"problem", &P::problem,
            "NPB's class: points in each direction and iterations. S: 12, 50; W: 33, 300; A: 64, 250; B: 102, 250; "
            "C: 162, 250; D: 408, 300.",
            "TAU over Supermon sec. 4: class C; NPB's public source"},
      Field{"points", &P::points, range(0, 4096), "points",
            "In each direction, the boundary among them; 0: the class's. Every rank needs four in both directions that "
            "are split.",
            "NPB's public source"},
      Field{"iterations", &P::iterations, range(0, 1e7), "", "0: the class's.", "NPB's public source"},
      Field{"largest_computed", &P::largest_computed, range(0, 4096), "points",
            "Larger problems are not computed: the same messages are sent and the same work is charged, but there are "
            "no numbers in them, no norms, and no answer.",
            "chosen: classes S and W are computed"},
      Field{"timers", &P::timers, any_value(), "",
            "The routines are bracketed for monitors that keep their times (hypermon_timer_start).",
            "TAU over Supermon sec. 4: instrumented"},
      Field{"flop_ns", &P::flop_ns, range(0, 1e6), "CPU time of a floating-point operation on data in the cache.",
            "TAU sec. 4: calibrated by 4.7 % of 2.0 us timers at 128 ranks on Atlas (docs/design/lu.md)"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6),
            "CPU time of a byte between cache and memory, where the rank's data does not stay in the cache.",
            "recalled: 2.5 GB/s for each core of a dual-core Opteron with DDR2-667"},
      Field{"cache", &P::cache,
            "What stays in a rank's cache from sweep to sweep of its 120 B a point. none: nothing. lru: pages stay "
            "whose colour has no more of them than ways, pages falling on colours at random. random: what random "
            "replacement leaves.",
            "facts (tau): 120 B a point; a cache of ways with least-recently-used replacement; chosen among the three"},
      Field{"cache_kib", &P::cache_kib, range(64, 1048576), "KiB", "A core's last cache.",
            "facts (tau): 1 MB of L2 a core"},
      Field{"cache_ways", &P::cache_ways, range(1, 64), "", "Its ways.", "AMD's optimization guide: 16 ways"});
}
static_assert(all_members_described<LuParams>());

} // namespace hypermon
