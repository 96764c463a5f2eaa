// SPDX-License-Identifier: BSD-3-Clause
// The counter of equal periods of time since the last reset. A timestamp carries its lowest bits.
#pragma once
#include "base/time.hpp"
#include <optional>

namespace hypermon {

/// Times count from the reset; periods [k P, (k+1) P) are numbered from 0 (spec secs. 1 and 6).
class TimestampGenerator {
public:
  TimestampGenerator(Time period, std::int64_t bits)
      : period_(period), mask_(bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) {}

  std::uint64_t number(Time t) const { return static_cast<std::uint64_t>(t / period_); }
  Time end(std::uint64_t number) const { return period_ * static_cast<std::int64_t>(number + 1); }
  std::uint64_t mask() const { return mask_; }
  std::uint64_t stamp(std::uint64_t number) const { return number & mask_; }
  /// The first period from `number` on after which the timestamp wraps to 0, if it ends before `limit`.
  std::optional<std::uint64_t> next_wrap(std::uint64_t number, Time limit) const {
    const std::uint64_t wraps = number | mask_;
    if (wraps >= static_cast<std::uint64_t>(limit / period_) - 1) return std::nullopt;
    return wraps;
  }

private:
  Time period_;
  std::uint64_t mask_;
};

} // namespace hypermon
