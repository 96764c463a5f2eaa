// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/event_volume.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

#include <fstream>
#include <random>
#include <sstream>

using namespace hypermon;

namespace {

constexpr auto burst = static_cast<std::int64_t>(EventVolume::burst);

/// Results computed from the bytes of every interval, all of them in memory.
struct Expected {
  std::vector<std::uint64_t> bytes;

  std::uint64_t most_in(std::size_t intervals) const {
    std::uint64_t most = 0;
    for (std::size_t begin = 0; begin < bytes.size(); ++begin) {
      std::uint64_t sum = 0;
      for (std::size_t i = begin; i < std::min(begin + intervals, bytes.size()); ++i) sum += bytes[i];
      most = std::max(most, sum);
    }
    return most;
  }
  std::string series() const {
    std::string text = "interval_ms,bytes\n";
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (bytes[i] > 0) text += std::to_string(i) + ',' + std::to_string(bytes[i]) + '\n';
    return text;
  }
};

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("an event belongs to the millisecond in which it is emitted, its first instant included") {
  EventVolume volume;
  volume.add(3_ms - 1_ps, 7);
  volume.add(3_ms, 11);
  volume.add(4_ms - 1_ps, 4);
  volume.finish();
  CHECK(volume.most_in_interval() == 11 + 4);
  CHECK(volume.total() == 7 + 11 + 4);
}

TEST_CASE("a burst is the fullest run of intervals, in whatever order the nodes' events come") {
  const bool more = GENERATE(false, true);
  EventVolume volume;
  volume.add(5_ms * burst, 1); // far from the others
  volume.add(1_ms * burst, 5);
  volume.add(1_ms, 3);   // burst - 1 intervals before the 5: in one run with it
  volume.add(0_ms, 100); // just out of that run
  if (more) volume.add(1_ms * burst, 100);
  volume.finish();
  CHECK(volume.most_in_burst() == (more ? 3 + 5 + 100 : 100 + 3));
}

TEST_CASE("without events there is no volume") {
  EventVolume volume;
  volume.advance(1000_ms);
  volume.finish();
  CHECK(volume.total() == 0);
  CHECK(volume.most_in_burst() == 0);
}

TEST_CASE("however the time is cut that nothing more comes into, volume and series are the same") {
  const auto seed = GENERATE(range(1U, 30U));
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  const auto path = testing::scratch_path("series.csv");
  const std::uint32_t most_silence = 1U << below(8);
  Expected expected;
  EventVolume volume;
  volume.keep_series(path);
  Time now;
  for (int n = 0; n < 300; ++n) {
    now += 1_us * below(1000 * most_silence);
    if (below(2) == 0) volume.advance(now);
    const Time at = now + 1_us * below(30'000); // nodes are busy for this long
    const auto i = static_cast<std::size_t>(at / 1_ms);
    expected.bytes.resize(std::max(expected.bytes.size(), i + 1));
    expected.bytes[i] += 3 + i % 5;
    volume.add(at, static_cast<std::uint32_t>(3 + i % 5));
  }
  CHECK_FALSE(std::filesystem::exists(path)); // not yet whole
  volume.finish();
  CHECK(volume.most_in_interval() == expected.most_in(1));
  CHECK(volume.most_in_burst() == expected.most_in(EventVolume::burst));
  CHECK(text_of(path) == expected.series());
  std::filesystem::remove(path);
}

TEST_CASE("an event before what nothing was to come into is an internal error") {
  EventVolume volume;
  volume.advance(3_ms);
  volume.add(3_ms, 1);
  CHECK_THROWS_AS(volume.add(3_ms - 1_ps, 1), std::logic_error);
}

TEST_CASE("a series that nobody finishes leaves no file") {
  const auto path = testing::scratch_path("unfinished.csv");
  {
    EventVolume volume;
    volume.keep_series(path);
    volume.add(1_ms, 1);
    CHECK(std::filesystem::exists(path.string() + ".part"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_FALSE(std::filesystem::exists(path.string() + ".part"));
}
