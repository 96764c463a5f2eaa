// SPDX-License-Identifier: BSD-3-Clause
// The board's RTL against its functional model: frames, their times, losses and counts, on random strobes and readers.
// Pins carry at most one strobe of an input in a clock period, and no order within a period.
//
//   HYPERMON_TEST_STROBES  strobes to compare per design
//   HYPERMON_TEST_SEED     another seed than the fixed one
#include "hw/hypermon/core/replay.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/rtl/nodes_and_reader.hpp"
#include "tests/monitors/hypermon/rtl/rtl_design.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"
#include <deque>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct Strobes {
  std::deque<std::vector<std::uint8_t>> data;
  std::vector<Burst> bursts;
  std::uint64_t count = 0;
};

/// Of each input one burst after the other. A held write (stall) moves the strobes behind it, so that those of the next
/// burst could come in the same period: one burst an input then.
Strobes random_strobes(Random& r, const RtlDesign& design) {
  Strobes all;
  const std::int64_t window = design.ecb.window_ns.number * 1000;
  const std::int64_t grid = r.pick({1, 1000, clock_ps, window});
  const bool in_step = r.one_in(4);
  const bool one_burst = design.ecb.node_fifo_full == WhenFull::stall;
  const std::int64_t bursts = one_burst ? 1 : r.pick({1, 3, 10, 30});
  const std::int64_t common_pace = r.pick({clock_ps, window, window + 1, 750'000, 750'000, 800'000, 3 * window});
  const auto bytes = static_cast<std::int64_t>(bytes_per_datum(design.port.width_bits));
  const std::uint64_t pattern = r.engine();
  for (std::uint32_t input = 0; input < design.ecb.inputs; ++input) {
    Random own(in_step ? pattern : r.engine());
    std::int64_t free = 0;
    for (std::int64_t b = 0; b < bursts; ++b) {
      const std::int64_t gap = own.pick({0, own.below(3 * window), own.below(20'000'000), own.below(300'000'000)});
      const std::int64_t first = (free + gap + grid - 1) / grid * grid + (own.one_in(4) ? 1 : 0);
      const std::int64_t pace = own.one_in(3) ? std::max(clock_ps, own.pick({window - 1, window, own.below(3'000'000)}))
                                              : std::max(clock_ps, common_pace);
      const std::int64_t data = own.pick({1, 2, own.between(1, 40), own.between(50, 400)});
      std::vector<std::uint8_t>& values = all.data.emplace_back();
      for (std::int64_t i = 0; i < data * bytes; ++i) values.push_back(static_cast<std::uint8_t>(r.engine()));
      all.bursts.push_back({input, Time::from_ps(first), Time::from_ps(pace), values, own.one_in(2)});
      all.count += static_cast<std::uint64_t>(data);
      free = first + pace * (data - 1) + clock_ps;
    }
  }
  std::stable_sort(all.bursts.begin(), all.bursts.end(), [](auto& a, auto& b) { return a.first < b.first; });
  return all;
}

ReaderParams random_reader(Random& r) {
  ReaderParams reader;
  if (r.one_in(2)) return reader;
  reader.kind = ReaderKind::group;
  reader.group_ns = r.pick({0, 1600, 20'010});
  reader.frame_ns = r.pick({0, 49, 700, 9000});
  reader.stall_every_frames = r.pick({0, 1, 5});
  reader.stall_ns = r.pick({0, 50'000, 200'001});
  return reader;
}

/// The reader's bus moves at most one word in a clock period.
PbxParams random_bus(Random& r) {
  PbxParams pbx;
  pbx.word_ns = r.pick({50, 75, 222, 500, 800, r.between(50, 300)});
  return pbx;
}

/// What none of the strobes may miss: causes of loss that a design of this kind has.
struct Provoked {
  Counts sum;
  void add(const Counts& c) {
    sum.aliasing += c.aliasing;
    sum.node_overruns += c.node_overruns;
    sum.windows_lost += c.windows_lost;
    sum.frames_lost += c.frames_lost;
    sum.merged += c.merged;
  }
};

} // namespace

TEST_CASE("the board's RTL gives the frames, times and losses of the functional model") {
  const std::uint64_t wanted = from_environment("HYPERMON_TEST_STROBES", sanitized ? 20'000 : 130'000);
  Provoked all;
  for (const RtlDesign& design : rtl_designs()) {
    std::uint64_t strobes = 0;
    for (std::uint64_t seed = from_environment("HYPERMON_TEST_SEED", 54); strobes < wanted; ++seed) {
      Random r(seed);
      const Strobes drawn = random_strobes(r, design);
      const PbxParams pbx = random_bus(r);
      const ReaderParams reader = random_reader(r);
      CAPTURE(design.name, seed);
      const Replay model = replay(design.port, design.ecb, pbx, reader, drawn.bursts);
      for (const bool skips : {false, true}) {
        if (!skips && !r.one_in(8)) continue; // each clock cycle of some runs, all but the idle ones of every run
        CAPTURE(skips);
        const RtlRun rtl = design.run(pbx, reader, drawn.bursts, skips);
        REQUIRE(difference("frame", rtl.frames, model.frames) + difference(rtl.counts, model.counts) == "");
      }
      all.add(model.counts);
      strobes += drawn.count;
    }
  }
  CHECK(all.sum.aliasing > 0);
  CHECK(all.sum.node_overruns > 0);
  CHECK(all.sum.windows_lost > 0);
  CHECK(all.sum.frames_lost > 0);
  CHECK(all.sum.merged > 0);
}
