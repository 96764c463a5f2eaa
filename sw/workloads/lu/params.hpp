// SPDX-License-Identifier: BSD-3-Clause
// The defaults are those of the runs in TAU over Supermon (sec. 4): class C on Atlas, where 128 ranks take about 31 s
// (docs/design/lu.md derives the times).
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// NPB's problem classes: number of points in each direction, and number of iterations.
enum class LuProblem : std::uint8_t { s, w, a, b, c, d };
constexpr auto words_of(LuProblem) { return words("S", "W", "A", "B", "C", "D"); }

/// Model of the part of a rank's data that stays in its cache from one sweep to the next.
enum class LuCache : std::uint8_t { none, lru, random };
constexpr auto words_of(LuCache) { return words("none", "lru", "random"); }

/// NPB's LU: symmetric successive over-relaxation in a pipeline of planes (lu.cpp).
struct LuParams {
  LuProblem problem = LuProblem::c;
  std::int64_t points = 0;
  std::int64_t iterations = 0;
  std::int64_t largest_computed = 33;
  bool timers = true;
  Nanoseconds flop_ns = 1.167;
  Nanoseconds byte_ns = 0.4;
  LuCache cache = LuCache::lru;
  std::int64_t cache_kib = 1024;
  std::int64_t cache_ways = 16;
};

constexpr auto fields_of(const LuParams*) {
  using P = LuParams;
  return fields(
      Field{"problem", &P::problem,
            "Problem class of the NAS benchmark LU: points in each direction and iterations. S: 12, 50. W: 33, 300. A: "
            "64, 250. B: 102, 250. C: 162, 250. D: 408, 300.",
            "TAU over Supermon sec. 4: class C; NPB's public source"},
      Field{"points", &P::points, range(0, 4096), "points",
            "Number of points in each direction, boundary included. Every rank needs at least four in each direction "
            "that is split. 0: as lu.problem says.",
            "NPB's public source"},
      Field{"iterations", &P::iterations, range(0, 1e7), "",
            "Number of iterations. 0: the number that belongs to lu.problem.", "NPB's public source"},
      Field{"largest_computed", &P::largest_computed, range(0, 4096), "points",
            "Largest problem whose numbers are computed. Larger problems cause the same messages and the same CPU "
            "time, but give no norms and no answer.",
            "chosen: classes S and W are computed"},
      Field{"timers", &P::timers, any_value(), "",
            "Put timers around the routines (hypermon_timer_start) for monitors that measure them.",
            "TAU over Supermon sec. 4: instrumented"},
      Field{"flop_ns", &P::flop_ns, range(0, 1e6), "CPU time of one floating-point operation on data in the cache.",
            "TAU sec. 4: calibrated by 4.7 % of 2.0 us timers at 128 ranks on Atlas (docs/design/lu.md)"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6),
            "CPU time of one byte between cache and memory, for data that are not in the cache.",
            "recalled: 2.5 GB/s for each core of a dual-core Opteron with DDR2-667"},
      Field{"cache", &P::cache,
            "Data of a rank, 120 bytes a point, that stay in the cache from sweep to sweep. none: no data. lru: pages "
            "at random colours, each kept while its colour has at most lu.cache_ways pages. random: the share that "
            "random replacement leaves.",
            "facts (tau): 120 B a point; a cache of ways with least-recently-used replacement; chosen among the three"},
      Field{"cache_kib", &P::cache_kib, range(64, 1048576), "KiB", "Size of the last-level cache of a core.",
            "facts (tau): 1 MB of L2 a core"},
      Field{"cache_ways", &P::cache_ways, range(1, 64), "", "Associativity of the last-level cache of a core.",
            "AMD's optimization guide: 16 ways"});
}
static_assert(all_members_described<LuParams>());

} // namespace hypermon
