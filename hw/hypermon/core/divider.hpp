// SPDX-License-Identifier: BSD-3-Clause
// Divisions by a number that stays the same, as multiplications.
#pragma once
#include <bit>
#include <cstdint>

namespace hypermon {

/// floor(t / d) for 0 <= t < 2^63, d > 1, by one multiplication: with l = ceil(log2 d) and m = ceil(2^(63+l) / d) it is
/// floor(t m / 2^(63+l)), as m d exceeds 2^(63+l) by less than d <= 2^l, so that t / d becomes too great by less than
/// 1 / d. m < 2^64.
class Divider {
public:
  explicit Divider(std::int64_t by) {
    const auto d = static_cast<std::uint64_t>(by);
    const int l = static_cast<int>(std::bit_width(d - 1));
    multiplier_ = static_cast<std::uint64_t>(((Wide{1} << (63 + l)) + d - 1) / d);
    shift_ = l - 1;
  }
  std::uint64_t operator()(std::int64_t t) const {
    return static_cast<std::uint64_t>(static_cast<Wide>(static_cast<std::uint64_t>(t)) * multiplier_ >> 64) >> shift_;
  }

private:
  __extension__ using Wide = unsigned __int128;
  std::uint64_t multiplier_;
  int shift_;
};

/// A Divider in 64-bit arithmetic for t < 2^31 and d < 2^31, with 31 in place of 63.
struct ShortDivider {
  explicit ShortDivider(std::int64_t by)
      : shift(31 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(by) - 1))),
        multiplier(static_cast<std::uint32_t>(((std::uint64_t{1} << shift) + static_cast<std::uint64_t>(by) - 1) /
                                              static_cast<std::uint64_t>(by))) {}
  std::uint32_t operator()(std::int64_t t) const {
    return static_cast<std::uint32_t>(std::uint64_t{static_cast<std::uint32_t>(t)} * multiplier >> shift);
  }
  static bool covers(std::int64_t t) { return t < std::int64_t{1} << 31; }

  int shift;
  std::uint32_t multiplier; ///< < 2^32
};

} // namespace hypermon
