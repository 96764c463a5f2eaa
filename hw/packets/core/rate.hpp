// SPDX-License-Identifier: BSD-3-Clause
// Rates, and the time of a transfer at a rate, truncated to whole nanoseconds (facts, piosim_rules).
#pragma once
#include "base/quantity.hpp"
#include "base/time.hpp"

#include <cmath>
#include <cstdint>

namespace hypermon::piosim {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t mib = 1 << 20;

struct Rate {
  std::int64_t bytes_per_s = 1;
  static Rate of_mib_per_s(double mib_per_s) { return {std::llround(mib_per_s * static_cast<double>(mib))}; }
};

inline Time time_of(std::int64_t bytes, Rate rate) {
  constexpr std::int64_t ns = 1'000'000'000;
  if (bytes < ns) return Time::from_ns(bytes * ns / rate.bytes_per_s); // avoids overflow and a wide division
  return Time::from_ns(static_cast<std::int64_t>(static_cast<Wide>(bytes) * ns / static_cast<Wide>(rate.bytes_per_s)));
}

/// Truncates to whole nanoseconds.
inline Time whole_ns(Time time) { return Time::from_ns(time.ps() / 1000); }

} // namespace hypermon::piosim
