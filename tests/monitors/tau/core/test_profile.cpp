// SPDX-License-Identifier: BSD-3-Clause
// A process's profile against a profiler that steps through time: recursion, throttling, dumps in between.
#include "tests/catch.hpp"
#include "tests/monitors/tau/core/stepping.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

using namespace hypermon;
using namespace hypermon::tau;
using hypermon::tau::test::Stepping;
using hypermon::testing::Random;

namespace {

Profile profile_of(std::size_t routines, const Throttle& throttle) {
  Profile profile(throttle);
  for (std::size_t i = 0; i < routines; ++i) profile.add("r" + std::to_string(i), "g");
  return profile;
}

void start(Profile& profile, std::uint32_t routine, Time now) {
  if (!profile.leaves_out_start(routine)) profile.start(routine, now);
}
bool stop(Profile& profile, std::uint32_t routine, Time now) {
  return profile.leaves_out_stop(routine) || profile.stop(routine, now);
}

} // namespace

TEST_CASE("a profile of random timers is what a profiler sees that steps through time, whenever it is dumped") {
  const auto cases = testing::cases_wanted(6) * 500;
  std::uint64_t throttled = 0;
  std::uint64_t recursions = 0;
  std::uint64_t switched = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const auto routines = static_cast<std::uint32_t>(1 + r.below(4));
    const Throttle throttle{r.one_in(2), static_cast<std::uint64_t>(r.below(6)), Time::from_ps(r.below(8))};
    const bool switches = r.one_in(3);
    Profile profile = profile_of(routines, throttle);
    Stepping naive(routines, throttle);
    std::vector<std::uint32_t> running; // routines that run according to the program, switched off or not
    std::int64_t now = 0;
    for (int i = 0; i < 80; ++i) {
      for (const std::int64_t until = now + r.below(4); now < until; ++now) naive.pass();
      const Time reading = Time::from_ps(now);
      if (switches && r.one_in(6)) {
        std::set<std::uint32_t> off;
        std::set<std::string, std::less<>> names;
        for (std::uint32_t one = 0; one < routines; ++one)
          if (r.one_in(2)) off.insert(one), names.insert("r" + std::to_string(one));
        profile.switch_off(names);
        naive.switch_off(off);
        ++switched;
      }
      if (running.empty() || r.one_in(2)) {
        running.push_back(static_cast<std::uint32_t>(r.below(routines)));
        recursions += std::count(running.begin(), running.end(), running.back()) > 1 ? 1 : 0;
        start(profile, running.back(), reading);
        naive.start(running.back());
      } else {
        REQUIRE(stop(profile, running.back(), reading));
        naive.stop(running.back());
        running.pop_back();
      }
      if (r.one_in(4)) REQUIRE(profile.lines(reading) == naive.lines());
    }
    const auto names = profile.running();
    REQUIRE(names.size() == naive.stack().size());
    for (std::size_t i = 0; i < names.size(); ++i) REQUIRE(names[i] == "r" + std::to_string(naive.stack()[i]));
    throttled += profile.throttled();
  }
  CHECK(throttled > cases / 20); // both kinds of cases occurred
  CHECK(recursions > cases);
  CHECK(switched > cases);
}

TEST_CASE("a timer is switched off by its first short call too many, and its time is then its caller's") {
  const Throttle throttle{true, 3, 10_ns};
  Profile profile = profile_of(2, throttle);
  profile.start(0, 0_ns);
  Time now;
  for (int call = 1; call <= 4; ++call) {
    CHECK_FALSE(profile.is_throttled(1));
    profile.start(1, now);
    now += 9_ns;
    CHECK(profile.stop(1, now));
  }
  CHECK(profile.is_throttled(1));
  now += 9_ns; // a nested call of the same routine
  const auto lines = profile.lines(now);
  CHECK(lines[0] == Line{"r0", "g", 1, 4, 9_ns, 45_ns});
  CHECK(lines[1] == Line{"r1 [THROTTLED]", "TAU_DISABLE", 4, 0, 36_ns, 36_ns});
}

TEST_CASE("calls of just the least time are not short") {
  Profile profile = profile_of(1, {true, 0, 10_ns});
  profile.start(0, 0_ns);
  CHECK(profile.stop(0, 10_ns));
  CHECK_FALSE(profile.is_throttled(0));
  profile.start(0, 10_ns);
  CHECK(profile.stop(0, 20_ns - 1_ps)); // the average is below the limit
  CHECK(profile.is_throttled(0));
}

TEST_CASE("a routine that somebody switches off is measured to the end of what has begun, and again when it is on") {
  Profile profile = profile_of(1, {});
  CHECK_FALSE(profile.leaves_out_start(0));
  profile.start(0, 0_ns);
  profile.switch_off({"r0"});
  CHECK_FALSE(profile.leaves_out_start(0)); // it calls itself
  profile.start(0, 1_ns);
  CHECK_FALSE(profile.leaves_out_stop(0));
  CHECK(profile.stop(0, 2_ns));
  CHECK_FALSE(profile.leaves_out_stop(0));
  CHECK(profile.stop(0, 3_ns));
  CHECK(profile.leaves_out_start(0));
  profile.switch_off({});
  CHECK(profile.leaves_out_start(0)); // inside the omitted call
  CHECK(profile.leaves_out_stop(0));
  CHECK(profile.leaves_out_stop(0));
  CHECK_FALSE(profile.leaves_out_start(0));
  CHECK(profile.lines(9_ns) == std::vector{Line{"r0", "g", 2, 1, 3_ns, 3_ns}});
}

TEST_CASE("a timer that is not the innermost is not stopped") {
  Profile profile = profile_of(2, {});
  profile.start(0, 0_ns);
  profile.start(1, 1_ns);
  CHECK_FALSE(profile.stop(0, 2_ns));
  CHECK(profile.running() == std::vector<std::string_view>{"r0", "r1"});
}
