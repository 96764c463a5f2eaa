// SPDX-License-Identifier: BSD-3-Clause
// The timers of a node's clock, against a search through all instants.
//
//   HYPERMON_TEST_CASES  random clocks for each property, instead of those of a CI run
#include "hw/machine/node_clock.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

using namespace hypermon;
using hypermon::testing::cases_wanted;
using hypermon::testing::Random;

namespace {

/// The first instant from `now` on at which the clock has counted that time; every instant is tried.
Time naive_when(const NodeClock& clock, Time local_time, Time now) {
  while (clock.local(now) < local_time) now += 1_ps;
  return now;
}

double drawn_drift(Random& random) {
  const double most = random.one_in(2) ? 500e-6 : 0.3; // with 0.3, a crystal often skips or repeats picoseconds
  return most * static_cast<double>(random.between(-1000, 1000)) * 1e-3;
}

} // namespace

TEST_CASE("a timer ends at the first instant at which its clock has counted the time") {
  Random random(1);
  for (std::uint64_t i = 0, cases = cases_wanted(3000); i < cases; ++i) {
    const NodeClock clock(drawn_drift(random), Time::from_ps(random.between(-700, 700)), 1_us);
    const Time now = Time::from_ps(random.between(0, 1500));
    const Time local_time = Time::from_ps(random.between(-1000, 3000));
    CAPTURE(i, now.ps(), local_time.ps());
    REQUIRE(clock.when(local_time, now) == naive_when(clock, local_time, now));
    const Time interval = Time::from_ps(random.between(1, 2000));
    REQUIRE(clock.after(now, interval) == naive_when(clock, clock.local(now) + interval, now));
    REQUIRE(clock.after(now, interval) > now);
  }
}

TEST_CASE("a timer is exact to the picosecond after days, whatever its clock") {
  Random random(1);
  for (std::uint64_t i = 0, cases = cases_wanted(3000); i < cases; ++i) {
    const double drift = 500e-6 * static_cast<double>(random.between(-1000, 1000)) * 1e-3;
    const NodeClock clock(drift, Time::from_ps(random.between(-1'000'000'000'000'000, 1'000'000'000'000'000)), 1_us);
    const Time now = Time::from_ps(random.between(0, 1'000'000'000'000'000'000));
    const Time interval = Time::from_ps(random.between(1, random.one_in(2) ? 1000 : 1'000'000'000'000'000'000));
    CAPTURE(i, drift, now.ps(), interval.ps());
    const Time end = clock.after(now, interval);
    REQUIRE(end > now);
    REQUIRE(clock.local(end) >= clock.local(now) + interval);
    REQUIRE(clock.local(end - 1_ps) < clock.local(now) + interval);
    REQUIRE(clock.read(end) >= clock.read(now));
    // A time that the clock has passed ends a timer at once, and does not end it in the past.
    REQUIRE(clock.when(clock.local(now) - interval, now) == now);
  }
}

TEST_CASE("a clock shows the time for which its timer was set") {
  const NodeClock clock(40e-6, 100_ms, 1_us);
  const Time end = clock.when(5'000'000_us, {});
  CHECK(end == 4'900'196_us);
  CHECK(clock.read(end) == 5'000'000_us);
  CHECK(clock.read(end - 1_ps) == 4'999'999_us);
  CHECK(clock.when(Time::never(), 3_ms) == Time::never());
  CHECK(clock.after(3_ms, Time::never()) == Time::never());
  CHECK(clock.after(3_ms, {}) == 3_ms);
}

TEST_CASE("timers of an exact clock are those of true time") {
  const NodeClock exact;
  for (const Time local_time : {0_ps, 1_ps, 999_ns, 1'000'000'000_us}) CHECK(exact.when(local_time, {}) == local_time);
  CHECK(exact.after(7_ps, 5_ps) == 12_ps);
  CHECK(exact.first_mark({}, 10_ms) == 10_ms);
  CHECK(exact.first_mark(10_ms, 10_ms) == 20_ms);
}

TEST_CASE("a periodic process acts at whole periods of its clock, and not as soon as it starts") {
  Random random(1);
  for (std::uint64_t i = 0, cases = cases_wanted(3000); i < cases; ++i) {
    const NodeClock clock(drawn_drift(random), Time::from_ps(random.between(-5000, 5000)), 1_us);
    const Time period = Time::from_ps(random.between(1, 3000));
    const Time now = Time::from_ps(random.between(0, 4000));
    const Time mark = clock.first_mark(now, period);
    CAPTURE(i, period.ps(), now.ps(), mark.ps());
    CHECK(mark.ps() % period.ps() == 0);
    CHECK(mark > clock.local(now) + Time::from_ps(period.ps() / 100));
    CHECK(mark <= clock.local(now) + period + Time::from_ps(period.ps() / 100));
    CHECK(clock.when(mark, now) > now);
  }
  const auto first = [](Time offset) { return NodeClock(0, offset, 1_us).first_mark({}, 100_ms); };
  for (const Time offset : {Time{} - 1_ms, Time{} - 1_us, Time{}, 1_us, 98_ms}) CHECK(first(offset) == 100_ms);
  CHECK(first(Time{} - 2_ms) == Time{});
  CHECK(first(Time{} - 150_ms) == Time{} - 100_ms);
  CHECK(first(99_ms) == 200_ms);
}
