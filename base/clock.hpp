// SPDX-License-Identifier: BSD-3-Clause
// The ECB's 20 MHz clock (spec sec. 1). An edge is represented by its time, a multiple of the period.
#pragma once
#include "base/time.hpp"

namespace hypermon {

inline constexpr Time clock_period = 50_ns;

constexpr Time cycles(std::int64_t n) { return clock_period * n; }
constexpr Time edge_at_or_after(Time t) { return cycles((t + clock_period - 1_ps) / clock_period); }
constexpr Time edge_at_or_before(Time t) { return cycles(t / clock_period); }

} // namespace hypermon
