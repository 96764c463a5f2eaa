// SPDX-License-Identifier: BSD-3-Clause
// One definition of each rule, seven ways to run it: by a program that knows the registers alone, word by word at and
// ahead of SystemC's time and without a SystemC process, in blocks through TLM, the replay without SystemC, and the
// cycle-by-cycle contract. Strobes come one by one or in bursts.
#include "hw/hypermon/core/replay.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/tlm/chain.hpp"
#include "tests/monitors/hypermon/tlm/looking_program.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

// Writes bursts to all chains up to 20 us ahead of their first strobe, from a SystemC process.
struct Nodes : sc_core::sc_module {
  const std::vector<Burst>& bursts;
  std::vector<Chain*> chains;
  Random random;
  Time next = bursts.front().first; // first strobe of the bursts that are not written yet; 0: all are written

  Nodes(const sc_core::sc_module_name& name, const std::vector<Burst>& b, std::vector<Chain*> c, std::uint64_t seed)
      : sc_module(name), bursts(b), chains(std::move(c)), random(seed) {
    SC_HAS_PROCESS(Nodes);
    SC_THREAD(run);
  }
  void run() {
    for (std::size_t i = 0; i < bursts.size(); ++i) {
      const Burst& burst = bursts[i];
      const Time ahead = Time::from_ps(random.below(20'000'000));
      const Time now = to_time(sc_core::sc_time_stamp());
      if (burst.first - ahead > now) wait(to_sc_time(burst.first - ahead - now));
      for (Chain* chain : chains)
        REQUIRE(chain->ports[burst.input]->write(burst.first, burst.spacing, burst.data, burst.flag_first) ==
                tlm::TLM_OK_RESPONSE);
      next = i + 1 < bursts.size() ? bursts[i + 1].first : 0_ps;
    }
  }
};

/// Each strobe of the bursts by itself, as a probe has to see them.
std::vector<SeenStrobe> strobes_of(const std::vector<Burst>& bursts, std::size_t datum_bytes) {
  std::vector<SeenStrobe> all;
  for (const Burst& burst : bursts)
    for (std::size_t at = 0; at < burst.data.size(); at += datum_bytes) {
      const auto datum = burst.data.subspan(at, datum_bytes);
      all.push_back({burst.first + burst.spacing * static_cast<std::int64_t>(at / datum_bytes),
                     burst.input,
                     {datum.begin(), datum.end()}});
    }
  return all;
}

// The words of all formats, with all policies and readers; a looking master is slow, so with few strobes.
Case small_case(Random& r) {
  for (;;) {
    Case c = random_case(r, {.depths = true, .policies = true, .formats = true, .readers = true, .accesses = true});
    c.hardware.ecb.wrap_frames = false; // wraps continue for as long as SystemC does
    if (c.strobes() > 100 && c.strobes() < 600 && !c.bursts.empty() && c.bursts.back().last() < 5_ms) return c;
  }
}

struct ModesCase {
  std::uint64_t seed;
  Random random{seed};
  Case shape = small_case(random);
  Hardware& hardware = shape.hardware;
  Bursts bursts{shape};
  Chain looks{hardware, DrainedBy::bus_master, 32};
  Chain words{hardware, DrainedBy::words, 32, {}, IoNode::Accesses::in_time};
  Chain in_frames{hardware, DrainedBy::words, 32};
  Chain ahead{hardware, DrainedBy::words, 32};
  Chain on_call{hardware, DrainedBy::words, 32, {}, IoNode::Accesses::on_call}; // ecb functional, pbx transactions
  Chain blocks{hardware, DrainedBy::reader, 32};
  Chain blocks_of_strobes{hardware, DrainedBy::reader, 32}; // ecb functional, backplane transactions
  LookingProgram program{sc_core::sc_gen_unique_name("program"), looks.ecb.board().format(), hardware.reader};
  std::vector<Chain*> all{&looks, &words, &in_frames, &ahead, &on_call, &blocks, &blocks_of_strobes};
  Nodes nodes{sc_core::sc_gen_unique_name("nodes"), bursts.views(), all, seed};
  StrobeProbe strobes{sc_core::sc_gen_unique_name("strobes")};
  StrobeProbe functional_strobes{sc_core::sc_gen_unique_name("functional_strobes")};
  explicit ModesCase(std::uint64_t s) : seed(s) {
    program.pbx_initiator.bind(looks.pbx.pbx_target);
    ahead.ecb.runs_ahead_to([this] { return nodes.next; });
    ahead.backplane.strobe_initiator.bind(strobes.strobe_target);
    blocks_of_strobes.backplane.strobe_initiator.bind(functional_strobes.strobe_target);
    if (stalls()) return;
    for (Chain* chain : {&ahead, &blocks_of_strobes})
      for (const auto& port : chain->ports) port->strobe_by_strobe(chain->ecb.board().datum_bytes());
  }
  bool stalls() const { return hardware.ecb.node_fifo_full == WhenFull::stall; }
};

} // namespace

TEST_CASE("by registers, by words at and ahead of their time, in blocks, in a replay and by the contract come the same "
          "frames, times and losses") {
  const StrictReports strict;
  std::vector<std::unique_ptr<ModesCase>> cases;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) cases.push_back(std::make_unique<ModesCase>(seed));

  std::vector<oracle::Result> expected;
  Time end;
  for (const auto& c : cases) {
    const Hardware& h = c->hardware;
    expected.push_back(oracle::Board(h.port, h.ecb, h.pbx, h.reader).run(c->bursts.views()));
    sort(expected.back().losses);
    end = std::max(end, expected.back().counts.end);
  }
  Random steps(1);
  for (Time t; t <= end;) {
    const Time step = Time::from_ps(steps.below(500'000'000) + 1);
    sc_core::sc_start(to_sc_time(step));
    t += step;
    for (const auto& c : cases)
      for (Chain* chain : {&c->on_call, &c->blocks, &c->blocks_of_strobes})
        if (steps.below(3) == 0) chain->io_node.drain_to(t);
  }

  std::size_t frames = 0;
  std::size_t strobes = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ModesCase& c = *cases[i];
    CAPTURE(c.seed);
    for (Chain* chain : {&c.on_call, &c.blocks, &c.blocks_of_strobes}) chain->io_node.finish();
    Replay replayed = replay(c.hardware.port, c.hardware.ecb, c.hardware.pbx, c.hardware.reader, c.bursts.views());
    sort(replayed.losses);
    REQUIRE(difference(replayed, expected[i]) == "");
    c.looks.frames = c.program.frames;
    c.looks.ecb.board().advance(end + 1_ms);
    for (Chain* chain : c.all) {
      sort(chain->losses);
      REQUIRE(difference(Replay{chain->frames, chain->losses, chain->ecb.board().counts()}, expected[i]) == "");
    }
    frames += expected[i].frames.size();
    // Probes see the same accesses at the same times, and each strobe at its own time.
    const auto words = std::ranges::count_if(
        c.words.probe->seen, [](const SeenAccess& a) { return PbxBus::ecb_frame_fifo.contains(a.address); });
    REQUIRE(static_cast<std::uint64_t>(words) == c.blocks.ecb.board().words_drained());
    REQUIRE(c.in_frames.probe->seen == c.words.probe->seen);
    REQUIRE(c.ahead.probe->seen == c.words.probe->seen);
    REQUIRE(c.on_call.probe->seen == c.words.probe->seen);
    if (c.stalls()) continue;
    REQUIRE(c.strobes.seen == strobes_of(c.bursts.views(), c.ahead.ecb.board().datum_bytes()));
    REQUIRE(c.functional_strobes.seen == c.strobes.seen);
    strobes += c.strobes.seen.size();
  }
  CHECK(frames > 1000);
  CHECK(strobes > 1000);
}
