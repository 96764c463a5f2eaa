// SPDX-License-Identifier: BSD-3-Clause
// Frames as words (spec secs. 2 and 6).
#include "hw/hypermon/core/frame.hpp"
#include "tests/catch.hpp"
#include <random>

using namespace hypermon;

namespace {
using Words = std::array<std::uint32_t, FrameFormat::max_words>;

EventFrame random_frame(std::mt19937_64& rng, const FrameFormat& format) {
  EventFrame frame;
  frame.vector = static_cast<std::uint32_t>(rng()) & format.vector_mask();
  if (format.on_request()) {
    frame.vector &= ~FrameFormat::stamped_bit;
    frame.stamped = rng() % 2 == 0;
  }
  if (frame.stamped) frame.timestamp = rng() & format.timestamp_mask();
  for (std::uint32_t i = 0; i < format.inputs(); ++i)
    if (frame.has(i)) frame.data[i] = static_cast<std::uint32_t>(rng()) >> (32 - format.data_bits());
  return frame;
}

// Calls `f(format)` for all formats that the parameters allow.
template <class F> void for_each_format(F&& f) {
  for (std::int64_t inputs = 1; inputs <= 32; ++inputs)
    for (const std::int64_t bits : {4, 8, 16, 32})
      for (std::int64_t timestamp = 1; timestamp <= 64; ++timestamp)
        for (const bool on_request : {false, true})
          if (!on_request || inputs < 32) f(FrameFormat(inputs, bits, timestamp, on_request));
}
} // namespace

TEST_CASE("the prototype's frame: word 0 nodes 15 to 8, word 1 nodes 7 to 0, word 2 the vector, word 3 the timestamp") {
  const FrameFormat format{PortParams{}, EcbParams{}};
  EventFrame frame;
  frame.vector = 1U << 15 | 1U << 8 | 1U << 7 | 1U << 0;
  frame.data[15] = 0xA; // in bits 31..28 of word 0
  frame.data[8] = 0xB;  // in bits 3..0 of word 0
  frame.data[7] = 0xC;  // in bits 31..28 of word 1
  frame.data[0] = 0xD;  // in bits 3..0 of word 1
  frame.timestamp = 0x12345678;
  Words words{};
  REQUIRE(format.pack(frame, words) == 4);
  CHECK(words[0] == 0xA000000B);
  CHECK(words[1] == 0xC000000D);
  CHECK(words[2] == 0x8181); // bit i is node i
  CHECK(words[3] == 0x12345678);
}

TEST_CASE("a frame has ceil(inputs x bits / 32) data words, a vector word and ceil(timestamp bits / 32) more") {
  for_each_format([](const FrameFormat& format) {
    const std::size_t data = (format.inputs() * format.data_bits() + 31) / 32;
    const std::size_t timestamp = format.timestamp_bits() > 32 ? 2 : 1;
    REQUIRE(format.words() == data + 1 + timestamp);
    REQUIRE(format.words(false) == data + 1);
    REQUIRE(format.words() <= FrameFormat::max_words);
  });
}

TEST_CASE("every frame format unpacks the packed data, word by word and as a whole") {
  std::mt19937_64 rng(1);
  for_each_format([&](const FrameFormat& format) {
    for (int round = 0; round < 3; ++round) {
      const EventFrame frame = random_frame(rng, format);
      Words words{};
      const std::size_t n = format.pack(frame, words);
      REQUIRE(n == format.words(frame.stamped));
      for (std::size_t i = 0; i < n; ++i) REQUIRE(format.word(frame, i) == words[i]);
      REQUIRE(format.is_stamped(words[format.data_words()]) == frame.stamped);
      REQUIRE(format.unpack(std::span(words).first(n)) == frame);
    }
  });
}

TEST_CASE("the data fields are one big number, the highest words first, input i at bits i x D") {
  std::mt19937_64 rng(2);
  for_each_format([&](const FrameFormat& format) {
    EventFrame frame;
    const auto input = static_cast<std::uint32_t>(rng() % format.inputs());
    frame.vector = 1U << input;
    frame.stamped = !format.on_request();
    frame.data[input] = 1;
    Words words{};
    format.pack(frame, words);
    const std::size_t bit = input * format.data_bits();
    for (std::size_t i = 0; i < format.data_words(); ++i) {
      const std::size_t low = 32 * (format.data_words() - 1 - i); // bit of the whole number that is bit 0 of this word
      REQUIRE(words[i] == (bit >= low && bit < low + 32 ? 1U << (bit - low) : 0U));
    }
  });
}

TEST_CASE("a timestamp of more than 32 bits has its high word first") {
  const FrameFormat format(16, 4, 40, false);
  EventFrame frame;
  frame.timestamp = 0xAB'01234567;
  Words words{};
  REQUIRE(format.pack(frame, words) == 5);
  CHECK(words[3] == 0xAB);
  CHECK(words[4] == 0x01234567);
}

TEST_CASE("on request, bit 31 of the vector word says that a timestamp follows") {
  const FrameFormat format(8, 4, 32, true);
  EventFrame frame;
  frame.vector = 0x81;
  frame.timestamp = 7;
  Words words{};
  CHECK(format.pack(frame, words) == 3);
  CHECK(words[1] == (FrameFormat::stamped_bit | 0x81));
  CHECK(words[2] == 7);
  frame.stamped = false;
  frame.timestamp = 0;
  CHECK(format.pack(frame, words) == 2);
  CHECK(words[1] == 0x81);
}

TEST_CASE("accumulated data make fields of 32 bits, and parameters give the format") {
  PortParams port;
  EcbParams ecb;
  CHECK(FrameFormat(port, ecb) == FrameFormat(16, 4, 32, false));
  port.width_bits = 8;
  CHECK(FrameFormat(port, ecb).data_bits() == 8);
  ecb.accumulate_bits = 32;
  ecb.inputs = 31;
  ecb.timestamp_bits = 12;
  ecb.timestamp_policy = TimestampPolicy::on_request;
  CHECK(FrameFormat(port, ecb) == FrameFormat(31, 32, 12, true));
}

TEST_CASE("there is no format with 32 inputs and timestamps on request: the vector word has no bit for it") {
  CHECK_THROWS(FrameFormat(32, 4, 32, true));
  CHECK_THROWS(FrameFormat(33, 4, 32, false));
  CHECK_THROWS(FrameFormat(16, 5, 32, false));
  CHECK_THROWS(FrameFormat(16, 4, 65, false));
}

TEST_CASE("what no frame says is left out when it is unpacked") {
  const FrameFormat format(2, 4, 4, false);
  const std::array<std::uint32_t, 3> words{0xFFFFFF5A, 0xFFFFFFFE, 0xFFFFFFF3}; // only input 1 is in the vector
  EventFrame frame;
  frame.vector = 2;
  frame.data[1] = 5;
  frame.timestamp = 3;
  CHECK(format.unpack(words) == frame);
}
