// SPDX-License-Identifier: BSD-3-Clause
// Boards in Verilog as modules of a SystemC simulation against the functional model: frames, times, and every loss with
// its cause. All boards live in one process and run at the same time. SystemC elaborates once in a process.
//
//   HYPERMON_TEST_CASES  boards of each design
//   HYPERMON_TEST_SEED   another seed than the fixed one
#include "hw/hypermon/core/replay.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/rtl/board_bench.hpp"
#include "tests/volume.hpp"
#include <cstdlib>
#include <dlfcn.h>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct Case {
  const RtlDesign* design;
  bool required_pins;
  std::uint64_t seed;
  Strobes strobes;
  PbxParams pbx;
  ReaderParams reader;
  std::unique_ptr<BoardBench> bench;
};

std::vector<Case> random_cases(std::span<const RtlDesign> designs) {
  std::vector<Case> cases;
  const std::uint64_t first = from_environment("HYPERMON_TEST_SEED", 54);
  const std::uint64_t boards = cases_wanted(6);
  for (const RtlDesign& design : designs)
    for (std::uint64_t seed = first; seed < first + boards; ++seed) {
      Random r(seed);
      const bool required_pins = seed % 4 == 0;
      const std::int64_t most_silence = required_pins ? 2'000'000 : 300'000'000;
      Case& c = cases.emplace_back(Case{&design, required_pins, seed, {}, {}, {}, {}});
      c.strobes = random_strobes(r, design, most_silence);
      c.pbx = random_bus(r);
      c.reader = random_reader(r);
    }
  return cases;
}

/// A timestamp of few bits does not name the window of a loss.
std::vector<Loss> comparable(std::vector<Loss> losses, std::int64_t timestamp_bits) {
  if (timestamp_bits < 32)
    for (Loss& loss : losses) loss.sequence = 0;
  std::sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) {
    return std::tuple(a.input, a.sequence, a.time, a.cause) < std::tuple(b.input, b.sequence, b.time, b.cause);
  });
  return losses;
}

std::unique_ptr<BoardBench> bench_of(const Case& c, MakeBoard* make) {
  const std::string name = c.design->name + std::to_string(c.seed);
  return std::make_unique<BoardBench>(name.c_str(), *c.design, make, c.pbx, c.reader, c.strobes.bursts);
}

/// Returns the functional model's results.
Replay require_equal(const Case& c) {
  CAPTURE(c.design->name, c.seed, c.required_pins);
  Replay model = replay(c.design->port, c.design->ecb, c.pbx, c.reader, c.strobes.bursts);
  REQUIRE(c.bench->is_done());
  REQUIRE(difference("frame", c.bench->frames(), model.frames) == "");
  if (c.required_pins) return model; // such a board does not report losses
  const std::int64_t bits = c.design->ecb.timestamp_bits;
  REQUIRE(difference("loss", comparable(c.bench->losses(), bits), comparable(model.losses, bits)) == "");
  return model;
}

} // namespace

TEST_CASE("a board in Verilog gives the frames, times and losses of the functional model in SystemC") {
  const std::vector<RtlDesign> designs = rtl_designs();
  std::vector<Case> cases = random_cases(designs);
  for (Case& c : cases) c.bench = bench_of(c, c.required_pins ? c.design->make_with_required_pins : c.design->make);
  sc_core::sc_start();

  std::array<std::uint64_t, loss_causes> causes{};
  for (const Case& c : cases) {
    const Replay model = require_equal(c);
    for (const Loss& loss : model.losses) ++causes[static_cast<std::size_t>(loss.cause)];
  }
  for (const LossCause cause :
       {LossCause::aliasing, LossCause::node_overrun, LossCause::window_lost, LossCause::frame_lost})
    CHECK(causes[static_cast<std::size_t>(cause)] > 0);
}

// tests/monitors/hypermon/python/test_rtl.py runs these two with objects that ecb.rtl has built.

namespace {
/// A design with the parameters of the object in HYPERMON_TEST_BOARD, and the function that makes its board.
MakeBoard* make_of_object() {
  const char* const file = std::getenv("HYPERMON_TEST_BOARD");
  REQUIRE(file != nullptr);
  void* const object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  INFO((object == nullptr ? dlerror() : ""));
  REQUIRE(object != nullptr);
  REQUIRE(*static_cast<const char* const*>(dlsym(object, own_board_build_name)) == std::string(HYPERMON_MODULES_BUILD));
  return reinterpret_cast<MakeBoard*>(dlsym(object, own_board_function));
}

std::vector<Case> run_object(std::span<const RtlDesign> designs, bool at_leisure) {
  MakeBoard* const make = make_of_object();
  std::vector<Case> cases = random_cases(designs.first(1));
  for (Case& c : cases) {
    c.required_pins = false;
    if (at_leisure) {
      c.reader = {};
      c.pbx.word_ns = 50;
    }
    c.bench = bench_of(c, make);
  }
  sc_core::sc_start();
  return cases;
}
} // namespace

TEST_CASE("a shared object of the RTL gives the results of the functional model", "[.object]") {
  const std::vector<RtlDesign> designs = rtl_designs();
  for (const Case& c : run_object(designs, false)) require_equal(c);
}

TEST_CASE("a shared object of another board gives the functional model's frames where a fast reader leaves no overrun",
          "[.frames]") {
  const std::vector<RtlDesign> designs = rtl_designs();
  for (const Case& c : run_object(designs, true)) {
    CAPTURE(c.seed);
    const Replay model = replay(c.design->port, c.design->ecb, c.pbx, c.reader, c.strobes.bursts);
    REQUIRE(c.bench->is_done());
    REQUIRE(c.bench->frames().size() == model.frames.size());
    for (std::size_t i = 0; i < model.frames.size(); ++i) REQUIRE(c.bench->frames()[i].frame == model.frames[i].frame);
    REQUIRE(difference("loss", comparable(c.bench->losses(), 32), comparable(model.losses, 32)) == "");
  }
}
