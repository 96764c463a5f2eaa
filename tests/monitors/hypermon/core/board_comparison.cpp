// SPDX-License-Identifier: BSD-3-Clause
// Comparison of a board with the model: what counts as a difference, and where it is found.
#include "hw/hypermon/core/board_comparison.hpp"
#include "tests/catch.hpp"

using namespace hypermon;

namespace {

constexpr Time window = 800_ns;

DeliveredFrame frame_of(std::uint64_t number, std::vector<std::pair<std::uint32_t, std::uint32_t>> data) {
  DeliveredFrame frame;
  frame.frame.timestamp = number & 0xFFFF'FFFF;
  for (const auto& [input, datum] : data) {
    frame.frame.vector |= 1u << input;
    frame.frame.data[input] = datum;
  }
  frame.captured = window * static_cast<std::int64_t>(number);
  frame.read_end = frame.captured + 5_us;
  return frame;
}

struct Pair {
  std::vector<BoardDifference> found;
  BoardComparison comparison;
  explicit Pair(bool times = true, const EcbParams& ecb = {}) : comparison(PortParams{}, ecb, times) {
    comparison.on_difference([this](const BoardDifference& difference) { found.push_back(difference); });
  }
  void model(const DeliveredFrame& frame) { comparison.expected_frame(frame); }
  void board(const DeliveredFrame& frame) { comparison.actual_frame(frame.frame, frame.read_end); }
  void both(const DeliveredFrame& frame) {
    model(frame);
    board(frame);
    comparison.advance(frame.read_end + 1_ps);
  }
  void windows(std::uint64_t from, std::uint64_t to) {
    for (; from < to; ++from) both(frame_of(from, {{3, static_cast<std::uint32_t>(from % 16)}}));
  }
};

} // namespace

TEST_CASE("equal frames and losses are no difference") {
  Pair pair;
  pair.comparison.strobe(2, window * 4);
  pair.comparison.expected_loss(2, 0, LossCause::aliasing, window * 4);
  pair.comparison.actual_loss(2, 0, LossCause::aliasing, window * 4 + 50_ns);
  pair.comparison.expected_loss(2, 1, LossCause::frame_lost, window * 5);
  pair.comparison.actual_loss(2, 1, std::nullopt, window * 9); // a board need not report its losses
  pair.windows(10, 30);
  pair.comparison.finish();
  CHECK(pair.found.empty());
  CHECK(pair.comparison.equal_frames() == 20);
  CHECK_FALSE(pair.comparison.first());
}

TEST_CASE("one wrong bit of a frame is one difference of its window and input") {
  Pair pair;
  pair.windows(10, 20);
  pair.model(frame_of(20, {{1, 5}, {3, 4}}));
  pair.board(frame_of(20, {{1, 5}, {3, 6}}));
  pair.windows(21, 30);
  pair.comparison.finish();
  REQUIRE(pair.found.size() == 1);
  CHECK(pair.found[0].window == 20);
  CHECK(pair.found[0].input == 3u);
  CHECK(pair.found[0].expected == "frame with 1=5, 3=4, timestamp 20, read at 21.0 us");
  CHECK(pair.found[0].actual == "frame with 1=5, 3=6, timestamp 20, read at 21.0 us");
  CHECK(pair.comparison.equal_frames() == 19);
}

TEST_CASE("a lost frame is one difference, and the next frames agree again") {
  const bool times = GENERATE(true, false);
  Pair pair(times);
  pair.windows(10, 20);
  pair.model(frame_of(20, {{3, 9}}));
  pair.windows(21, 30);
  pair.comparison.finish();
  REQUIRE(pair.found.size() == 1);
  CHECK(pair.found[0].window == 20);
  CHECK(pair.found[0].input == 3u);
  CHECK(pair.found[0].actual == "frame with 3=5, timestamp 21, read at 21.8 us");
}

TEST_CASE("a frame that the model does not have is one difference") {
  Pair pair;
  pair.windows(10, 20);
  pair.board(frame_of(20, {{7, 9}}));
  pair.windows(21, 30);
  pair.comparison.finish();
  REQUIRE(pair.found.size() == 1);
  CHECK(pair.found[0].window == 20);
  CHECK(pair.found[0].input == 7u);
}

TEST_CASE("a wrong timestamp is one difference without an input") {
  Pair pair;
  pair.windows(10, 20);
  auto wrong = frame_of(20, {{3, 4}});
  pair.model(wrong);
  wrong.frame.timestamp = 22;
  pair.board(wrong);
  pair.windows(21, 30);
  pair.comparison.finish();
  REQUIRE(pair.found.size() == 1);
  CHECK(pair.found[0].window == 20);
  CHECK(pair.found[0].input == std::nullopt);
}

TEST_CASE("timestamps are compared modulo their bits") {
  Pair pair(true, EcbParams{.timestamp_bits = 4});
  for (std::uint64_t number = 10; number < 40; ++number) {
    auto frame = frame_of(number, {{3, 1}});
    frame.frame.timestamp &= 0xF;
    pair.model(frame);
    frame.frame.data[3] = number == 33 ? 2 : 1;
    if (number != 17) pair.board(frame);
    pair.comparison.advance(frame.read_end);
  }
  pair.comparison.finish();
  REQUIRE(pair.found.size() == 2);
  CHECK(pair.found[0].window == 17);
  CHECK(pair.found[1].window == 33);
}

TEST_CASE("a later read is a difference only with times") {
  const bool times = GENERATE(true, false);
  Pair pair(times);
  pair.windows(10, 20);
  auto late = frame_of(20, {{3, 4}});
  pair.model(late);
  late.read_end += 50_ns;
  pair.board(late);
  pair.windows(21, 30);
  pair.comparison.finish();
  CHECK(pair.found.size() == (times ? 1 : 0));
  if (times) {
    CHECK(pair.found[0].window == 20);
    CHECK(pair.found[0].input == std::nullopt);
    CHECK(pair.found[0].actual == "frame with 3=4, timestamp 20, read at 21.05 us");
  }
}

TEST_CASE("a frame that is missing at the end is found at the end, or before by its time") {
  Pair pair;
  pair.windows(10, 20);
  pair.model(frame_of(20, {{3, 4}}));
  const bool waits = GENERATE(true, false);
  if (waits) pair.comparison.advance(window * 20 + 5_us + BoardComparison::patience + 1_ps);
  CHECK(pair.found.size() == (waits ? 1 : 0));
  pair.comparison.finish();
  REQUIRE(pair.found.size() == 1);
  CHECK(pair.found[0].window == 20);
  CHECK(pair.found[0].actual == "no frame");
}

TEST_CASE("losses of only one side, and other causes, are differences of the word's window") {
  Pair pair;
  for (std::int64_t w = 5; w < 8; ++w) pair.comparison.strobe(4, window * w);
  SECTION("the board loses a word too many") {
    pair.comparison.actual_loss(4, 1, LossCause::frame_lost, window * 30);
    pair.comparison.finish();
    REQUIRE(pair.found.size() == 1);
    CHECK(pair.found[0].expected == "no loss");
    CHECK(pair.found[0].actual == "lost (frame_lost)");
  }
  SECTION("the model alone loses a word") {
    pair.comparison.expected_loss(4, 1, LossCause::node_overrun, window * 6);
    pair.comparison.finish();
    REQUIRE(pair.found.size() == 1);
    CHECK(pair.found[0].expected == "lost (node_overrun)");
  }
  SECTION("the causes differ") {
    pair.comparison.actual_loss(4, 1, LossCause::aliasing, window * 6);
    pair.comparison.expected_loss(4, 1, LossCause::node_overrun, window * 6);
    REQUIRE(pair.found.size() == 1);
    CHECK(pair.found[0].actual == "lost (aliasing)");
  }
  CHECK(pair.found[0].window == 6);
  CHECK(pair.found[0].input == 4u);
}

TEST_CASE("a loss that the board has not reported is no difference beside that of the frames") {
  Pair pair;
  pair.windows(10, 20);
  pair.model(frame_of(20, {{3, 9}}));
  pair.comparison.actual_loss(3, 10, std::nullopt, window * 30);
  pair.windows(21, 30);
  pair.comparison.finish();
  CHECK(pair.found.size() == 1);
}

TEST_CASE("what one side has ahead of the other is bounded") {
  Pair pair(false);
  constexpr std::size_t more = 10;
  for (std::size_t n = 0; n < BoardComparison::most_ahead + more; ++n) pair.model(frame_of(n, {{3, 1}}));
  CHECK(pair.found.size() == more);
  for (std::size_t n = 0; n < BoardComparison::most_ahead + more; ++n)
    pair.comparison.expected_loss(0, n, LossCause::aliasing, window);
  CHECK(pair.found.size() == 2 * more);
}
