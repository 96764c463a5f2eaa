#include "sw/monitors/hypermon/frame_rate.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <numeric>

using namespace hypermon;

namespace {

DeliveredFrame frame_of_window(std::uint64_t window) {
  DeliveredFrame f;
  f.frame.words = {0, 0, 1, static_cast<std::uint32_t>(window)};
  return f;
}

} // namespace

TEST_CASE("no frame is lost when the bins grow, and each is counted where it was") {
  const Time window = 100_us;
  FrameRate rate(window);
  constexpr std::uint64_t half = 2'000'000; // windows: 200 s, far more than the first bins cover
  std::uint64_t sparse = 0;
  std::uint64_t dense = 0;
  for (std::uint64_t begin = 0; begin < 2 * half; begin += 1000) { // in batches, as they are read
    std::vector<DeliveredFrame> frames;
    for (std::uint64_t w = begin; w < begin + 1000; w += begin < half ? 200 : 100) frames.push_back(frame_of_window(w));
    (begin < half ? sparse : dense) += frames.size();
    rate.add(frames, begin);
  }
  const auto parts = rate.divide({}, window * (2 * half), 100);
  REQUIRE(parts.size() == 100);
  CHECK(std::abs(std::accumulate(parts.begin(), parts.end(), 0.0) - static_cast<double>(sparse + dense)) < 1e-3);
  CHECK(std::abs(parts[10] / (static_cast<double>(sparse) / 50) - 1) < 0.02);
  CHECK(std::abs(parts[90] / (static_cast<double>(dense) / 50) - 1) < 0.02);
}

TEST_CASE("only what lies between begin and end is shown") {
  FrameRate rate(1_ms);
  std::vector<DeliveredFrame> frames;
  for (std::uint64_t w = 0; w < 1000; ++w) frames.push_back(frame_of_window(w));
  rate.add(frames, 0);
  const auto parts = rate.divide(500_ms, 1000_ms, 10);
  CHECK(std::abs(std::accumulate(parts.begin(), parts.end(), 0.0) - 500) < 1);
}
