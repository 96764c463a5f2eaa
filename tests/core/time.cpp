// SPDX-License-Identifier: BSD-3-Clause
// Dates are the nearest picoseconds.
#include "base/time.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <random>

using namespace hypermon;

TEST_CASE("the nearest whole number is the C library's, halves and beyond the fractions too") {
  for (const double x : {0.0, 0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370495.5, 0x1p52, 0x1p53 + 2, 9.2e18})
    for (const double around : {std::nextafter(x, -1.0), x, std::nextafter(x, 1e19)})
      for (const double sign : {1.0, -1.0}) {
        CAPTURE(sign * around);
        CHECK(nearest(sign * around) == std::llround(sign * around));
      }
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const double x =
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -static_cast<int>(random() % 64));
    CAPTURE(x);
    REQUIRE(nearest(x) == std::llround(x));
  }
}
