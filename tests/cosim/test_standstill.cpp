// SPDX-License-Identifier: BSD-3-Clause
#include "hw/cosim/standstill.hpp"

#include "tests/catch.hpp"

using namespace hypermon;

TEST_CASE("at each instant the allowed number of steps may be done, but not one more") {
  Standstill standstill(3);
  for (const Time now : {0_ps, 1_ps, 5_ns})
    for (int i = 0; i < 3; ++i) CHECK(!standstill.step(now));
  CHECK(standstill.step(5_ns));
}

TEST_CASE("without a limit any number of steps may be done") {
  Standstill standstill;
  for (int i = 0; i < 1000; ++i) CHECK(!standstill.step(1_ns));
}
