#include "sw/monitors/hypermon/frame_rate.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <numeric>

using namespace hypermon;

TEST_CASE("no frame is lost when the bins grow, and each is counted where it was") {
  const Time window = 100_us;
  FrameRate rate(window);
  constexpr std::uint64_t half = 1 << 21; // windows: 210 s, far more than the first bins cover; whole bins
  std::uint64_t sparse = 0;
  std::uint64_t dense = 0;
  for (std::uint64_t w = 0; w < 2 * half; w += w < half ? 200 : 100) {
    rate.add(w);
    ++(w < half ? sparse : dense);
  }
  const auto parts = rate.divide({}, window * (2 * half), 100);
  REQUIRE(parts.size() == 100);
  CHECK(std::abs(std::accumulate(parts.begin(), parts.end(), 0.0) - static_cast<double>(sparse + dense)) < 1e-3);
  CHECK(std::abs(parts[10] / (static_cast<double>(sparse) / 50) - 1) < 0.02);
  CHECK(std::abs(parts[90] / (static_cast<double>(dense) / 50) - 1) < 0.02);
}

TEST_CASE("only what lies between begin and end is shown") {
  FrameRate rate(1_ms);
  for (std::uint64_t w = 0; w < 1000; ++w) rate.add(w);
  const auto parts = rate.divide(500_ms, 1000_ms, 10);
  CHECK(std::abs(std::accumulate(parts.begin(), parts.end(), 0.0) - 500) < 1);
}
