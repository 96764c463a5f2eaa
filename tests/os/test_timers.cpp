// SPDX-License-Identifier: BSD-3-Clause
// Routines' calls and times, against a replay of the events that looks at every interval between two of them.
#include "sw/os/timers.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

#include <set>

using namespace hypermon;

namespace {

struct TimerEvent {
  Time at;
  bool starts;
  std::uint32_t routine;
};

/// Totals of a routine at `now`, according to the events.
RoutineTimers::Totals replay(const std::vector<TimerEvent>& events, std::uint32_t routine, Time now) {
  RoutineTimers::Totals totals;
  std::vector<std::uint32_t> stack;
  Time last;
  const auto pass = [&](Time until) {
    if (!stack.empty() && stack.back() == routine) totals.exclusive += until - last;
    if (std::set(stack.begin(), stack.end()).contains(routine)) totals.inclusive += until - last;
    last = until;
  };
  for (const TimerEvent& e : events) {
    pass(e.at);
    if (e.starts) {
      stack.push_back(e.routine);
      totals.calls += e.routine == routine ? 1 : 0;
    } else {
      stack.pop_back();
    }
  }
  pass(now);
  return totals;
}

} // namespace

TEST_CASE("timers of random nestings show, at any time, what a replay of the events gives") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    testing::Random r(seed);
    const auto routines = static_cast<std::uint32_t>(1 + r.below(5));
    RoutineTimers timers;
    std::vector<TimerEvent> events;
    std::vector<std::uint32_t> running;
    Time now;
    for (int i = 0; i < 60; ++i) {
      now += Time::from_ps(r.below(4)); // often at the same instant
      const bool starts = running.empty() || r.below(2) == 0;
      if (starts) {
        running.push_back(static_cast<std::uint32_t>(r.below(routines))); // itself included
        timers.start(running.back(), now);
        events.push_back({now, true, running.back()});
      } else {
        REQUIRE(timers.stop(running.back(), now));
        events.push_back({now, false, running.back()});
        running.pop_back();
      }
      const Time later = now + Time::from_ps(r.below(3));
      for (std::uint32_t routine = 0; routine <= routines; ++routine) {
        const auto expected = replay(events, routine, later);
        const auto found = timers.read(routine, later);
        REQUIRE(found.calls == expected.calls);
        REQUIRE(found.inclusive == expected.inclusive);
        REQUIRE(found.exclusive == expected.exclusive);
      }
    }
  }
}

TEST_CASE("a routine that is not the innermost does not stop, and nothing changes") {
  RoutineTimers timers;
  CHECK(!timers.stop(0, 1_us));
  timers.start(0, 1_us);
  timers.start(1, 2_us);
  CHECK(!timers.stop(0, 3_us));
  CHECK(timers.running() == 1U);
  CHECK(timers.read(0, 10_us).inclusive == 9_us);
  CHECK(timers.read(0, 10_us).exclusive == 1_us);
}
