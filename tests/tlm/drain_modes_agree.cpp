// One definition of each rule, four ways to run it: register by register through TLM, in blocks through TLM, the
// replay without SystemC, and the cycle-by-cycle contract.
#include "hw/core/replay.hpp"
#include "tests/tlm/chain.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

// Writes bursts to both chains up to 20 us ahead of their first strobe, from a SystemC process.
struct Nodes : sc_core::sc_module {
  std::vector<OwnedBurst> bursts;
  Chain& words;
  Chain& blocks;
  Random random;

  Nodes(const sc_core::sc_module_name& name, std::vector<OwnedBurst> b, Chain& w, Chain& k, std::uint64_t seed)
      : sc_module(name), bursts(std::move(b)), words(w), blocks(k), random(seed) {
    SC_HAS_PROCESS(Nodes);
    SC_THREAD(run);
  }
  void run() {
    for (const auto& burst : bursts) {
      const Time ahead = Time::from_ps(random.below(20'000'000));
      const Time now = to_time(sc_core::sc_time_stamp());
      if (burst.first - ahead > now) wait(to_sc_time(burst.first - ahead - now));
      for (Chain* chain : {&words, &blocks})
        REQUIRE(chain->ports[burst.input]->write(burst.first, burst.spacing, burst.data) == tlm::TLM_OK_RESPONSE);
    }
  }
};

struct Case {
  std::uint64_t seed;
  Random random{seed};
  Hardware hardware = random_hardware(random);
  std::vector<OwnedBurst> bursts = random_bursts(random, hardware, 3);
  Chain words{hardware, DrainedBy::bus_master};
  Chain blocks{hardware, DrainedBy::reader};
  Nodes nodes{sc_core::sc_gen_unique_name("nodes"), bursts, words, blocks, seed};
  explicit Case(std::uint64_t s) : seed(s) {}
};

} // namespace

TEST_CASE("reading word by word, in blocks, in a replay and by the contract gives the same frames, times and losses") {
  const StrictReports strict;
  std::vector<std::unique_ptr<Case>> cases;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) cases.push_back(std::make_unique<Case>(seed));

  std::vector<oracle::Result> expected;
  Time end;
  for (const auto& c : cases) {
    expected.push_back(run_oracle(c->hardware, c->bursts));
    end = std::max(end, expected.back().counts.end);
  }
  Random steps(1);
  for (Time t; t <= end;) {
    const Time step = Time::from_ps(steps.below(500'000'000) + 1);
    sc_core::sc_start(to_sc_time(step));
    t += step;
    for (const auto& c : cases)
      if (steps.below(3) == 0) c->blocks.io_node.drain_to(t);
  }

  std::size_t frames = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Case& c = *cases[i];
    CAPTURE(c.seed);
    c.blocks.io_node.finish();
    std::vector<Burst> views;
    for (const auto& b : c.bursts) views.push_back(b.view());
    const Replay replayed = replay(c.hardware.ecb, c.hardware.pbx, c.hardware.reader, views);

    REQUIRE(c.words.frames == expected[i].frames);
    REQUIRE(c.blocks.frames == expected[i].frames);
    REQUIRE(replayed.frames == expected[i].frames);
    REQUIRE(sorted(c.words.losses) == sorted(expected[i].losses));
    REQUIRE(sorted(c.blocks.losses) == sorted(expected[i].losses));
    REQUIRE(sorted(replayed.losses) == sorted(expected[i].losses));
    c.words.ecb.board().advance(end + 1_ms);
    REQUIRE(c.words.ecb.board().counts() == expected[i].counts);
    REQUIRE(c.blocks.ecb.board().counts() == expected[i].counts);
    frames += expected[i].frames.size();
  }
  CHECK(frames > 1000);
}
