// SPDX-License-Identifier: BSD-3-Clause
// The board's RTL against its functional model: frames, their times, losses and counts, on random strobes and readers.
// Pins carry at most one strobe of an input in a clock period, and no order within a period.
//
//   HYPERMON_TEST_STROBES  strobes to compare per design
//   HYPERMON_TEST_SEED     another seed than the fixed one
#include "hw/hypermon/core/replay.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/rtl/random_strobes.hpp"
#include "tests/volume.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

/// Causes of loss of a design of this kind, all of which the strobes must provoke.
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
        // compares every clock cycle of some runs, and all but the idle ones of every run
        if (!skips && !r.one_in(8)) continue;
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
