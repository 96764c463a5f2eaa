// SPDX-License-Identifier: BSD-3-Clause
// A probe that is attached after stretches that were captured in bulk sees what one sees from the beginning on.
#include "hw/hypermon/core/capture_board.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include "tests/volume.hpp"
#include <tuple>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

using Observation =
    std::tuple<Time, std::uint32_t, std::uint32_t, Reader::Doing, std::uint32_t, std::uint64_t, std::uint64_t>;

struct Probe final : BoardProbe {
  Time from;
  std::vector<Observation> all;
  void strobe(std::uint32_t, Time, std::uint32_t) override {}
  void changed(Time time, const BoardState& s) override {
    if (time >= from)
      all.emplace_back(time, s.vector_fifo, s.frame_fifo, s.reader, s.left_of_group, s.frames_built, s.frames_lost);
  }
};

/// A fault: from `at` on the reader begins nothing for `duration`.
struct Stop {
  Time at;
  Time duration;
};

/// Observations from `from` on by a probe that is attached at `attached`.
std::vector<Observation> seen(const Case& c, std::span<const Burst> bursts, const Stop& stop, Time attached,
                              Time from) {
  const Hardware& h = c.hardware;
  CaptureBoard board(h.port, h.ecb, h.pbx, h.reader);
  board.keep_groups();
  board.reader().stop(stop.at, stop.duration);
  for (const Burst& burst : bursts) board.write(burst);
  board.advance(attached);
  Probe probe;
  probe.from = from;
  board.attach(&probe);
  board.finish();
  return probe.all;
}

} // namespace

TEST_CASE("a probe that is attached late sees the same polls, levels and losses as a probe from the beginning") {
  const std::uint64_t cases = cases_wanted(300);
  std::size_t groups = 0;
  std::size_t stopped = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    Case c = random_case(r, {.depths = true, .readers = true, .accesses = true, .apart = true});
    // for an ideal reader the closed form forgets groups: a backlog must last longer than the stretch
    if (r.one_in(2)) {
      c.hardware.reader = {};
      c.hardware.pbx.word_ns = r.between(4000, 20'000);
    }
    c.hardware.ecb.frame_fifo_full = r.pick({WhenFull::drop_newest, WhenFull::drop_oldest});
    const Bursts bursts(c);
    const Time last = c.bursts.back().last();
    const Time at = std::max(1_ps, Time::from_ps(r.below(last.ps() + 1)));
    Stop stop;
    if (r.one_in(3)) stop = {Time::from_ps(r.below(last.ps() + 1)), Time::from_ns(r.below(300'000))};
    const auto expected = seen(c, bursts.views(), stop, 0_ps, at);
    REQUIRE(seen(c, bursts.views(), stop, at, at) == expected);
    for (const Observation& s : expected) {
      groups += std::get<4>(s) > 1 ? 1 : 0;
      stopped += std::get<3>(s) == Reader::Doing::stopped ? 1 : 0;
    }
  }
  REQUIRE(groups > cases); // otherwise the agreement would mean little
  REQUIRE(stopped > cases);
}
