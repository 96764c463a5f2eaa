// The board's closed forms against the contract, cycle by cycle, on random input and parameters.
#include "hw/core/capture_board.hpp"
#include "hw/core/replay.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_bursts.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

/// Bursts written as late as allowed, frames collected at each step; steps of random size up to `step`.
oracle::Result run_in_steps(const Hardware& h, const std::vector<OwnedBurst>& bursts, Random& r, std::int64_t step_ns) {
  oracle::Result result;
  CaptureBoard board(h.ecb, h.pbx, h.reader);
  board.on_loss([&](const Loss& loss) { result.losses.push_back(loss); });
  auto collect = [&] {
    for (const auto& f : board.delivered()) result.frames.push_back(f);
    board.clear_delivered();
  };
  for (const auto& burst : bursts) {
    while (burst.first > board.horizon() && r.below(4) != 0) {
      const Time step = Time::from_ps(r.below(step_ns * 1000) + 1);
      board.advance(std::min(burst.first, board.horizon() + step));
      for (const auto& f : board.delivered()) REQUIRE(f.read_end < board.horizon());
      if (r.below(2) == 0) collect();
    }
    board.write(burst.view());
  }
  board.finish();
  collect();
  result.counts = board.counts();
  return result;
}

void require_equal(const oracle::Result& a, const oracle::Result& b) {
  REQUIRE(a.frames == b.frames);
  REQUIRE(sorted(a.losses) == sorted(b.losses));
  REQUIRE(a.counts == b.counts);
}

} // namespace

TEST_CASE("the board agrees with the contract in every frame, time, count and loss") {
  Counts seen;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const Hardware h = random_hardware(r);
    const auto bursts = random_bursts(r, h, 4);
    const auto expected = run_oracle(h, bursts);

    std::vector<Burst> views;
    for (const auto& b : bursts) views.push_back(b.view());
    const Replay whole = replay(h.ecb, h.pbx, h.reader, views);
    require_equal({whole.frames, whole.losses, whole.counts}, expected);
    require_equal(run_in_steps(h, bursts, r, 300), expected);
    require_equal(run_in_steps(h, bursts, r, 100'000), expected);

    const Counts& c = expected.counts;
    REQUIRE(c.strobes == c.frames_built + c.merged + c.node_overruns + c.discarded + c.aliasing);
    REQUIRE(c.frames_built == c.frames_lost + c.drained + c.frames_in_fifo);
    seen.aliasing += c.aliasing;
    seen.node_overruns += c.node_overruns;
    seen.discarded += c.discarded;
    seen.frames_lost += c.frames_lost;
    seen.merged += c.merged;
  }
  // Else the agreement would say little.
  CHECK(seen.aliasing > 1000);
  CHECK(seen.node_overruns > 1000);
  CHECK(seen.discarded > 1000);
  CHECK(seen.frames_lost > 1000);
  CHECK(seen.merged > 1000);
}
