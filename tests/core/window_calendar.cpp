// The calendar's steps against plain division, and that it hands windows over in order, once.
#include "hw/core/window_calendar.hpp"
#include "hw/core/clock.hpp"
#include "hw/core/frame.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_bursts.hpp"
#include <map>

using namespace hypermon;
using namespace hypermon::testing;

TEST_CASE("every strobe is found in the window that contains its time, whatever the pitch and the window") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const Time window = cycles(r.pick<std::int64_t>({1, 3, 7, 8, 16, 999, WindowCalendar::longest_window / 50_ns}));
    const Time end = window * static_cast<std::int64_t>(WindowCalendar::windows);
    WindowCalendar calendar(window);
    struct Expected {
      std::uint32_t vector = 0;
      std::uint64_t data = 0;
    };
    std::map<std::int64_t, Expected> expected;
    for (std::uint32_t input = 0; input < 16; ++input) {
      const Time on = Time::from_ps(r.pick<std::int64_t>({1, window.ps()})); // anywhere, or on the windows' ends
      const Time first = on * r.below(window * 2 / on);
      const Time spacing = std::max(window, on * r.below(window * 40 / on));
      std::vector<std::uint8_t> data;
      for (Time t = first; t < end; t += spacing) {
        data.push_back(static_cast<std::uint8_t>(r.below(16)));
        expected[t / window].vector |= 1u << input;
        expected[t / window].data |= std::uint64_t{data.back()} << EventFrame::shift(input);
      }
      calendar.add(1u << input, EventFrame::shift(input), first, spacing, data.data(), data.size());
    }
    auto next = expected.begin();
    calendar.take(WindowCalendar::windows, [&](std::size_t k, std::uint32_t vector, std::uint64_t data) {
      REQUIRE(next != expected.end());
      REQUIRE(static_cast<std::int64_t>(k) == next->first);
      REQUIRE(vector == next->second.vector);
      REQUIRE(data == next->second.data);
      ++next;
    });
    REQUIRE(next == expected.end());
    calendar.take(WindowCalendar::windows, [](std::size_t, std::uint32_t, std::uint64_t) { FAIL("taken twice"); });
  }
}
