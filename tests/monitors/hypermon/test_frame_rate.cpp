// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/frame_rate.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <numeric>

using namespace hypermon;

namespace {
DeliveredFrame captured(Time at) { return {{}, {}, at}; }
double sum(const std::vector<double>& parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); }
} // namespace

TEST_CASE("bins that grow keep the counts of all frames, in the right bin") {
  const Time window = 100_us;
  FrameRate rate;
  constexpr std::uint64_t half = 1 << 21; // windows: 210 s, far more than the first bins cover; whole bins
  std::uint64_t sparse = 0;
  std::uint64_t dense = 0;
  for (std::uint64_t w = 0; w < 2 * half; w += w < half ? 200 : 100) {
    rate.add(captured(window * static_cast<std::int64_t>(w)));
    ++(w < half ? sparse : dense);
  }
  const auto parts = rate.divide({}, window * (2 * half), 100);
  REQUIRE(parts.size() == 100);
  CHECK(std::abs(sum(parts) - static_cast<double>(sparse + dense)) < 1e-3);
  CHECK(std::abs(parts[10] / (static_cast<double>(sparse) / 50) - 1) < 0.02);
  CHECK(std::abs(parts[90] / (static_cast<double>(dense) / 50) - 1) < 0.02);
}

TEST_CASE("only what lies between begin and end is shown") {
  FrameRate rate;
  for (std::int64_t w = 0; w < 1000; ++w) rate.add(captured(1_ms * w));
  const auto parts = rate.divide(500_ms, 1000_ms, 10);
  CHECK(std::abs(sum(parts) - 500) < 1);
}

TEST_CASE("a frame that nobody captured is not counted, and one of the end of time neither lasts nor hurts") {
  FrameRate rate;
  rate.add(captured(Time::never())); // garbage of power-on
  CHECK(sum(rate.divide({}, 1_ms, 10)) == 0);
  rate.add(captured(10_us));
  rate.add(captured(Time::never() - 1_ps));
  const auto parts = rate.divide({}, Time::never(), 10);
  CHECK(std::abs(parts.front() - 1) < 1e-9);
  CHECK(parts.back() > 0.5); // its bin extends beyond the end of the range
}

TEST_CASE("a run of a millisecond has a shape") {
  FrameRate rate;
  for (std::int64_t i = 0; i < 100; ++i) rate.add(captured(500_us + 5_us * i));
  const auto parts = rate.divide({}, 1_ms, 10);
  CHECK(sum(parts) == 100);
  for (std::size_t i = 0; i < 10; ++i) CHECK(std::abs(parts[i] - (i < 5 ? 0 : 20)) < 0.5);
}

TEST_CASE("what was captured before time 0 counts at its begin") {
  FrameRate rate;
  rate.add(captured(0_ps - 700_ns));
  CHECK(std::abs(rate.divide({}, 1_ms, 10)[0] - 1) < 1e-9);
}
