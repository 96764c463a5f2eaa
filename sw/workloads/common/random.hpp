// SPDX-License-Identifier: BSD-3-Clause
// Seeded numbers that are the same on every machine. SplitMix64 is a counter, so a test can compute any number without
// its predecessors: number i (from 0) of seed s is mix(s + (i + 1) * gamma).
#pragma once
#include <cstdint>

namespace hypermon::workloads {

class SplitMix64 {
public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Number `i` (from 0) that uniform() returns for that seed.
  static double number(std::uint64_t seed, std::int64_t i) {
    return SplitMix64(seed + static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U).uniform();
  }
  /// In 0 .. n-1. The bias of the remainder is below n / 2^64.
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n)); }

private:
  std::uint64_t state_;
};

/// A separate seed for stream `stream` of seed `seed`.
inline std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t stream) {
  return SplitMix64(SplitMix64(seed).next() + stream).next();
}

} // namespace hypermon::workloads
