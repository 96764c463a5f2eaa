// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that depend on a seed and on their place (node, datum, line), instead of the order in which they are
// drawn.
#pragma once
#include <cstdint>

namespace hypermon {

enum class SeededStream : std::uint64_t { drop = 1, bit_error, pbx_error, garbage, line_skew, narrowing };

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014): each output bit depends on each input bit.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}
constexpr std::uint64_t random_at(std::int64_t seed, SeededStream stream, std::uint64_t who, std::uint64_t n) {
  return mixed(mixed(mixed(static_cast<std::uint64_t>(seed)) ^ (static_cast<std::uint64_t>(stream) << 32 | who)) ^ n);
}

} // namespace hypermon
