// SPDX-License-Identifier: BSD-3-Clause
// The map's steps against plain division, and the frames of a stretch.
#include "hw/hypermon/core/window_map.hpp"
#include "base/clock.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include <algorithm>
#include <set>
#include <vector>

using namespace hypermon;
using namespace hypermon::testing;

TEST_CASE("every strobe is found in the window that contains its time, whatever the pitch and the window") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const Time window = cycles(r.pick<std::int64_t>({1, 3, 7, 8, 16, 399, WindowMap::longest_window / 50_ns}));
    const Time end = window * static_cast<std::int64_t>(WindowMap::windows);
    WindowMap map(window);
    std::set<std::int64_t> expected;
    for (int input = 0; input < 16; ++input) {
      const Time on = Time::from_ps(r.pick<std::int64_t>({1, window.ps()})); // anywhere, or on the windows' ends
      const Time first = on * r.below(window * 2 / on);
      const Time spacing = std::max(window, on * r.below(window * 200 / on));
      std::size_t n = 0;
      for (Time t = first; t < end; t += spacing, ++n) expected.insert(t / window);
      map.add(first, spacing, n);
    }
    const WindowMap::Ranks ranks(map, WindowMap::windows);
    std::size_t found = 0;
    for (const std::int64_t k : expected) {
      const auto at = static_cast<std::size_t>(k);
      if (map.used_between(0, at) != found || ranks[at] != found) FAIL("window " << k << ": not number " << found);
      ++found;
    }
    REQUIRE(map.used_between(0, WindowMap::windows) == found);
    const std::vector<std::int64_t> sorted(expected.begin(), expected.end());
    const auto before = [&](std::size_t k) {
      return static_cast<std::size_t>(std::ranges::lower_bound(sorted, static_cast<std::int64_t>(k)) - sorted.begin());
    };
    for (int i = 0; i < 100; ++i) {
      const auto from = static_cast<std::size_t>(r.below(WindowMap::windows + 1));
      const auto to =
          from + static_cast<std::size_t>(r.below(static_cast<std::int64_t>(WindowMap::windows - from) + 1));
      REQUIRE(map.used_between(from, to) == before(to) - before(from));
      if (from < WindowMap::windows) REQUIRE(ranks[from] == before(from));
    }

    // The reader, frame by frame (spec sec. 3); a frame that finds `full` or more to be read is lost.
    const Time frame_time = cycles(r.between(1, 100));
    const Time first_built = window + cycles(9);
    const Time full = r.one_in(2) ? Time::never() : frame_time * r.below(4);
    const Time begun = cycles(r.between(0, 1000));
    const auto reading = map.read(WindowMap::windows, first_built, frame_time, begun, full);
    Time until = begun;
    Time backlog = 0_ps - 1_ps;
    std::uint64_t lost = 0;
    for (const std::int64_t k : expected) {
      const auto at = static_cast<std::size_t>(k);
      const Time built = first_built + window * k;
      const bool no_room = until >= built && until - built >= full;
      if (map.lost(at) != no_room || map.used_between(at, at + 1) != (no_room ? 0 : 1))
        FAIL("window " << k << (no_room ? ": not lost" : ": lost"));
      if (no_room) {
        if (map.end(at) != built) FAIL("window " << k << ": not lost when it was built");
        if (lost++ == 0) REQUIRE(reading.first_lost == built);
        continue;
      }
      backlog = std::max(backlog, until - built);
      until = std::max(built + cycles(1), until) + frame_time;
      if (map.end(at) != until) FAIL("window " << k << ": read at another time");
    }
    REQUIRE(reading.until == until);
    REQUIRE(reading.lost == lost);
    REQUIRE((backlog < 0_ps ? reading.backlog < 0_ps : reading.backlog == backlog));
    for (int i = 0; i < 100; ++i) {
      const auto from = static_cast<std::size_t>(r.below(WindowMap::windows));
      const auto to = from + static_cast<std::size_t>(r.below(
                                 std::min<std::int64_t>(300, static_cast<std::int64_t>(WindowMap::windows - from))));
      bool any = false;
      for (std::size_t k = from; k <= to; ++k) any |= map.lost(k);
      REQUIRE(map.any_lost(from, to) == any);
      if (map.used_between(0, to + 1) > 0) {
        std::size_t last = to;
        while (map.used_between(last, last + 1) == 0) --last;
        REQUIRE(map.last_used(to + 1) == last);
      }
    }
    map.clear();
    REQUIRE(map.used_between(0, WindowMap::windows) == 0);
  }
}
