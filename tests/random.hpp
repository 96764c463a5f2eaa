// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are the same everywhere: no std:: distributions.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <random>

namespace hypermon::testing {

struct Random {
  std::mt19937_64 engine;
  explicit Random(std::uint64_t seed) : engine(seed) {}
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(n)); }
  std::int64_t between(std::int64_t a, std::int64_t b) { return a + below(b - a + 1); }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class T> T pick(std::initializer_list<T> choices) {
    return *(choices.begin() + below(std::ssize(choices)));
  }
  std::int64_t pick(std::initializer_list<std::int64_t> choices) { return pick<std::int64_t>(choices); }
};

} // namespace hypermon::testing
