// SPDX-License-Identifier: BSD-3-Clause
// The defaults are TAU over Supermon's runs (sec. 4): class C on Atlas, 128 ranks of which take about 31 s
// (docs/design/lu.md derives the times).
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// NPB's classes of problems: points in each direction, and iterations.
enum class LuProblem : std::uint8_t { s, w, a, b, c, d };
constexpr auto words_of(LuProblem) { return words("S", "W", "A", "B", "C", "D"); }

/// What of a rank's data stays in its cache from one sweep to the next.
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

} // namespace hypermon
