// SPDX-License-Identifier: BSD-3-Clause
// Words of a user's board: which of them are in frames, and which are lost.
#include "hw/hypermon/core/board_words.hpp"
#include "tests/catch.hpp"
#include <random>

using namespace hypermon;

namespace {

struct Lost {
  std::uint32_t input;
  std::uint64_t first;
  std::uint32_t strobes;
  std::optional<LossCause> cause;
  bool operator==(const Lost&) const = default;
};

struct Board {
  std::vector<Lost> losses;
  BoardWords words;
  explicit Board(const EcbParams& ecb = {}) : words(PortParams{}, ecb) {
    words.on_loss(
        [this](std::uint32_t input, std::uint64_t first, std::uint32_t strobes, std::optional<LossCause> cause) {
          losses.push_back({input, first, strobes, cause});
        });
  }
  /// A strobe in the window with that number.
  void strobe(std::uint32_t input, std::int64_t window, std::uint32_t datum) {
    words.strobe(input, 800_ns * window + 5_ns, datum);
  }
  BoardWords::Match read(std::uint64_t timestamp, std::vector<std::pair<std::uint32_t, std::uint32_t>> data) {
    EventFrame frame;
    frame.timestamp = timestamp;
    for (const auto& [input, datum] : data) {
      frame.vector |= 1u << input;
      frame.data[input] = datum;
    }
    return words.frame_read(frame, std::nullopt);
  }
};

constexpr std::optional<LossCause> in_board{};

} // namespace

TEST_CASE("words that later words of their input overtake are lost in the board") {
  Board board;
  for (int window = 0; window < 4; ++window) board.strobe(0, window, static_cast<std::uint32_t>(window));
  board.strobe(1, 1, 9);
  CHECK(board.read(2, {{0, 2}}).window == 2u);
  CHECK(board.losses == std::vector<Lost>{{0, 0, 1, in_board}, {0, 1, 1, in_board}});
  board.words.finish();
  CHECK(board.losses.size() == 4);
  CHECK(board.words.counts().strobes == 5);
  CHECK(board.words.counts().drained == 1);
}

TEST_CASE("a frame needs the inputs, the window and the values of its strobes") {
  Board board;
  board.strobe(0, 7, 3);
  board.strobe(1, 7, 4);
  CHECK(board.read(6, {{0, 3}}).inputs == 0u);         // another window
  CHECK(board.read(7, {{2, 3}}).inputs == 0u);         // another input
  CHECK(board.read(7, {{0, 5}}).inputs == 0u);         // another value
  CHECK(board.read(7, {{0, 3}, {1, 5}}).inputs == 1u); // either of the two values
  CHECK(board.losses.empty());
  CHECK(board.read(7, {{1, 4}}).inputs == 2u);
  board.words.finish();
  CHECK(board.losses.empty());
}

TEST_CASE("a timestamp with few bits stands for the first window in which all words of the frame are") {
  EcbParams ecb;
  ecb.timestamp_bits = 2;
  Board board(ecb);
  board.strobe(0, 1, 3);
  board.strobe(0, 5, 3);
  board.strobe(1, 5, 8);
  CHECK(board.read(1, {{0, 3}, {1, 8}}).window == 5u);
  CHECK(board.losses == std::vector<Lost>{{0, 0, 1, in_board}});
}

TEST_CASE("reported losses have their cause, and one frame or window is counted once") {
  Board board;
  for (std::uint32_t input = 0; input < 3; ++input) board.strobe(input, 4, 1);
  board.strobe(0, 5, 2);
  board.strobe(0, 5, 6);
  board.words.lost(0, LossCause::aliasing, {}, 6_us);
  for (std::uint32_t input = 0; input < 3; ++input) board.words.lost(input, LossCause::frame_lost, 4, 6_us);
  board.words.lost(0, LossCause::window_lost, {}, 6_us);
  board.words.lost(0, LossCause::window_lost, {}, 6_us); // nothing is left
  board.words.lost(40, LossCause::frame_lost, {}, 6_us); // no such input
  CHECK(board.words.unmatched_reports() == 2);
  const Counts& counts = board.words.counts();
  CHECK(counts.aliasing == 1);
  CHECK(counts.frames_lost == 1);
  CHECK(counts.frames_built == 1);
  CHECK(counts.merged == 2);
  CHECK(counts.windows_lost == 1);
  CHECK(counts.discarded == 1);
  CHECK(counts.first_overrun == 6_us);
  board.words.finish();
  REQUIRE(board.losses.size() == 5);
  CHECK(board.losses.front() == Lost{0, 2, 1, LossCause::aliasing});
  CHECK(board.losses.back() == Lost{0, 1, 1, LossCause::window_lost});
}

TEST_CASE("losses without a window at one time are those of one frame") {
  Board board;
  for (int window = 0; window < 2; ++window)
    for (std::uint32_t input = 0; input < 3; ++input) board.strobe(input, window, 1);
  for (int frame = 1; frame <= 2; ++frame)
    for (std::uint32_t input = 0; input < 3; ++input)
      board.words.lost(input, LossCause::frame_lost, std::nullopt, 2000_ns * frame);
  CHECK(board.words.counts().frames_lost == 2);
  CHECK(board.words.counts().merged == 4);
  CHECK(board.losses.size() == 6);
}

TEST_CASE("the word that a loss names is the one that a search through all words finds") {
  std::mt19937 random(54);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int round = 0; round < 400; ++round) {
    EcbParams ecb;
    ecb.timestamp_bits = 1 + static_cast<std::int64_t>(below(6));
    ecb.frame_fifo_full = below(2) == 0 ? WhenFull::drop_oldest : WhenFull::drop_newest;
    const std::uint64_t mask = (std::uint64_t{1} << ecb.timestamp_bits) - 1;
    Board board(ecb);
    std::vector<std::int64_t> windows; // windows of the words, by strobe
    std::vector<bool> lost;
    std::int64_t window = 0;
    for (int strobe = 0; strobe < 12; ++strobe) {
      window += 1 + static_cast<std::int64_t>(below(9));
      board.strobe(0, window, 1);
      windows.push_back(window);
      lost.push_back(false);
    }
    for (int loss = 0; loss < 10; ++loss) {
      const std::uint64_t named = below(2) == 0 ? below(mask + 1) : static_cast<std::uint64_t>(windows[below(12)]);
      std::optional<std::size_t> expected;
      for (std::size_t k = 0; k < windows.size(); ++k) {
        const std::size_t i = ecb.frame_fifo_full == WhenFull::drop_oldest ? k : windows.size() - 1 - k;
        if (lost[i] || ((static_cast<std::uint64_t>(windows[i]) ^ named) & mask) != 0) continue;
        const bool exact = static_cast<std::uint64_t>(windows[i]) == named;
        if (exact || !expected) expected = i;
        if (exact || named <= mask) break;
      }
      const std::size_t before = board.losses.size();
      board.words.lost(0, LossCause::frame_lost, named, 1_ms);
      REQUIRE(board.losses.size() == before + (expected ? 1 : 0));
      if (!expected) continue;
      REQUIRE(board.losses.back().first == *expected);
      lost[*expected] = true;
    }
  }
}

TEST_CASE("a word of several strobes is lost as a whole, and an incomplete one is not yet a word") {
  EcbParams ecb;
  ecb.accumulate_bits = 32;
  Board board(ecb);
  for (std::uint32_t i = 0; i < 11; ++i) board.strobe(0, i, i & 0xF);
  CHECK(board.words.accumulating(0) == 3);
  CHECK(board.read(7, {{0, 0x76543210}}).window == 7u);
  for (std::uint32_t i = 11; i < 16; ++i) board.strobe(0, i, i & 0xF);
  board.words.finish();
  CHECK(board.losses == std::vector<Lost>{{0, 8, 8, in_board}});
}
