// SPDX-License-Identifier: BSD-3-Clause
// Spec secs. 1 and 2: windows, aliasing, merging, the frame's words.
#include "tests/monitors/hypermon/core/one_board.hpp"

using namespace hypermon;
using namespace hypermon::testing;

TEST_CASE("a strobe just before a window's end belongs to it, one at its end to the next window") {
  for (std::int64_t k : {0, 1, 1000}) {
    OneBoard before, at;
    before.strobe(0, window * (k + 1) - 1_ps);
    at.strobe(0, window * (k + 1));
    CHECK(before.finish().at(0).frame.timestamp == static_cast<std::uint64_t>(k));
    CHECK(at.finish().at(0).frame.timestamp == static_cast<std::uint64_t>(k + 1));
  }
}

TEST_CASE("a frame carries nibbles 15 to 8, 7 to 0, the strobe vector and the timestamp, highest input first") {
  for (std::uint32_t input = 0; input < 16; ++input) {
    OneBoard b;
    b.strobe(input, window * 5, 0xA);
    const auto frame = b.finish().at(0).frame;
    const std::uint32_t place = 0xAu << (4 * (input % 8));
    std::array<std::uint32_t, FrameFormat::max_words> words{};
    REQUIRE(b.board.format().pack(frame, words) == 4);
    const std::uint32_t expected[] = {input >= 8 ? place : 0, input < 8 ? place : 0, 1u << input, 5};
    CHECK(std::equal(expected, expected + 4, words.begin()));
    CHECK(frame.data[input] == 0xA);
    CHECK(frame.vector == 1u << input);
  }
}

TEST_CASE("strobes of several nodes in one window merge into one frame, and in two windows they make two") {
  OneBoard b;
  b.strobe(0, window * 3, 1);
  b.strobe(9, window * 4 - 1_ps, 2);
  b.strobe(15, window * 4, 3);
  const auto frames = b.finish();
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].frame.vector == (1u << 0 | 1u << 9));
  CHECK(frames[0].frame.data[0] == 1);
  CHECK(frames[0].frame.data[9] == 2);
  CHECK(frames[1].frame.vector == 1u << 15);
  CHECK(b.board.counts().merged == 1);
  CHECK(b.board.counts().frames_built == 2);
}

TEST_CASE("a node's second strobe in one window is lost to aliasing, in the next window it is not") {
  OneBoard b;
  const Time first = window * 2;
  b.strobe(4, first, 1);
  b.strobe(4, first + 750_ns, 2); // a node may write every 750 ns
  b.strobe(4, first + 1500_ns, 3);
  const auto frames = b.finish();
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].frame.data[4] == 1);
  CHECK(frames[1].frame.data[4] == 3);
  REQUIRE(b.losses == std::vector<Loss>{{4, 1, LossCause::aliasing, first + 750_ns}});
  CHECK(b.board.counts().aliasing == 1);
}

TEST_CASE("timestamps are the window's number modulo 2^32") {
  OneBoard b;
  const std::int64_t wrap = std::int64_t{1} << 32;
  b.strobe(0, window * (wrap - 1));
  b.strobe(0, window * (wrap + 5));
  const auto frames = b.finish();
  CHECK(frames.at(0).frame.timestamp == 0xFFFFFFFFu);
  CHECK(frames.at(1).frame.timestamp == 5);
  CHECK(frames.at(1).read_end == lone_read_end(wrap + 5));
}

TEST_CASE("an empty window makes no frame and an idle board does nothing") {
  OneBoard b;
  b.board.advance(Time::from_ns(std::int64_t{3600} * 1'000'000'000));
  CHECK(b.finish().empty());
  CHECK(b.board.counts() == Counts{});
}
