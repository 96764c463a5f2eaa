// SPDX-License-Identifier: BSD-3-Clause
// A rank's section is what it emitted, computed and waited, to the picosecond, whatever SimGrid rounded.
#include "hw/machine/rank_times.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

using namespace hypermon;
using namespace hypermon::testing;

TEST_CASE("what is neither emitted nor computed is messages and waiting") {
  const RankTimes times = rank_times(100_ns, 20_ns, 50_ns);
  CHECK(times.emission == 20_ns);
  CHECK(times.compute == 50_ns);
  CHECK(times.messages == 30_ns);
}

TEST_CASE("an emission that SimGrid ended 2 ps early leaves no time below zero") {
  const RankTimes times = rank_times(100_ns - 2_ps, 100_ns, 0_ps);
  CHECK(times.messages == 0_ps);
  CHECK(times.emission == 100_ns - 2_ps);
}

TEST_CASE("no part of a rank's section is below zero, and their sum is the section") {
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const Time section = Time::from_ps(random.below(1000));
    const RankTimes times = rank_times(section, Time::from_ps(random.below(1000)), Time::from_ps(random.below(1000)));
    CHECK(std::min({times.emission, times.compute, times.messages}) >= Time{});
    CHECK(times.emission + times.compute + times.messages == section);
  }
}
