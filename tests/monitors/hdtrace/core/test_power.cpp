// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/core/power.hpp"

#include "tests/catch.hpp"

#include <random>

using namespace hypermon;
using namespace hypermon::hdtrace;

namespace {

constexpr Watts watts{.base = 20,
                      .idle = 28,
                      .computing = 58,
                      .waiting = 45,
                      .nic_idle = 1,
                      .nic = 2,
                      .disk_idle = 4,
                      .disk = 7,
                      .supply = 0.25};
constexpr Time second = 1'000'000_us;

} // namespace

TEST_CASE("energy is the sum of the states' times their power") {
  Computer computer(watts, 2);
  computer.computing(Time{}, 1);      // 20 + 28 + 58 + 1 + 4 = 111 W
  computer.waiting(second, 1);        // plus 45 instead of 28: 128 W
  computer.nic(2 * second, 1);        // 129 W
  computer.disk(3 * second, 1);       // 132 W
  computer.computing(4 * second, -1); // 102 W
  computer.pass(5 * second);
  CHECK(computer.joules() == Approx((111 + 128 + 129 + 132 + 102) * 1.25));
  CHECK(computer.joules(Share::computing) == Approx(58 * 4));
  CHECK(computer.joules(Share::waiting) == Approx(45 * 4));
  CHECK(computer.joules(Share::nic) == Approx(1 * 2 + 2 * 3));
  CHECK(computer.joules(Share::disk) == Approx(4 * 3 + 7 * 2));
  CHECK(computer.joules(Share::supply) == Approx(602 * 0.25));
  CHECK(computer.busy(Share::nic) == 3 * second);
}

TEST_CASE("more processes than processors take no more than all processors do") {
  Computer computer(watts, 2);
  computer.computing(Time{}, 3);
  computer.waiting(Time{}, 2);
  CHECK(computer.watts() == Approx((20 + 2 * 58 + 1 + 4) * 1.25));
}

TEST_CASE("a part that is asked twice works once") {
  Computer computer(watts, 1);
  computer.disk(Time{}, 1);
  computer.disk(second, 1);
  computer.disk(2 * second, -1);
  computer.disk(3 * second, -1);
  computer.pass(4 * second);
  CHECK(computer.joules(Share::disk) == Approx(7 * 3 + 4));
}

TEST_CASE("a meter that does not round shows the energy of whole periods, whatever happens in them") {
  std::mt19937 random(1);
  for (int example = 0; example < 50; ++example) {
    Computer computer(watts, 4);
    Computer reference(watts, 4);
    Meter meter(50'000_us, 0);
    Time now;
    for (int step = 0; step < 40; ++step) {
      now += Time::from_ps(std::uniform_int_distribution<std::int64_t>(0, 40'000'000'000)(random));
      for (; meter.next() <= now;) {
        computer.pass(meter.next());
        meter.read(computer);
      }
      const int by = std::uniform_int_distribution<int>(0, 1)(random) * 2 - 1;
      computer.computing(now, by > 0 ? 1 : 0);
      reference.computing(now, by > 0 ? 1 : 0);
    }
    // The energy since its last reading has not been reported yet.
    CHECK(computer.joules() == Approx(reference.joules()));
    CHECK(meter.joules() <= computer.joules() + 1e-9);
    CHECK(computer.joules() - meter.joules() <= 0.05 * (20 + 4 * 58 + 1 + 4) * 1.25 + 1e-9);
  }
}

TEST_CASE("a meter rounds each reading to its resolution") {
  Computer computer(watts, 1);
  Meter meter(second, 10);
  computer.pass(second);
  CHECK(meter.read(computer) == Approx(70)); // 20 + 28 + 1 + 4 = 53 W, and a quarter: 66.25
  CHECK(meter.joules() == Approx(70));
}

TEST_CASE("an estimate is right where parts work one after the other, and linear in between") {
  CHECK(estimate(watts, 2, 0, 0, 0) == Approx((20 + 56 + 1 + 4) * 1.25));
  CHECK(estimate(watts, 2, 1, 1, 1) == Approx((20 + 116 + 2 + 7) * 1.25));
  CHECK(estimate(watts, 2, 0.5, 0, 0) == Approx((20 + 86 + 1 + 4) * 1.25));
  CHECK(estimate(watts, 2, 7, 7, 7) == estimate(watts, 2, 1, 1, 1));
}
