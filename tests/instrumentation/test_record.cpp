// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/record.hpp"
#include "tests/catch.hpp"
#include "tests/instrumentation/random_events.hpp"

using namespace hypermon;
using namespace hypermon::test;

namespace {
std::uint8_t byte_of(const HardwareRecord& r, std::size_t i) {
  return static_cast<std::uint8_t>(r.nibbles[2 * i] | r.nibbles[2 * i + 1] << 4);
}

bool reads(const std::uint8_t* nibbles) {
  DecodedRecord ignored;
  return decode_hardware(nibbles, ignored);
}
} // namespace

TEST_CASE("a hardware record is type, delta, arguments and padding, low bytes and low nibbles first") {
  const Event event{EventType::tick, {0x04030201, 0x08070605, 0}};
  const auto record = encode_hardware(event, 0xBEEF);
  REQUIRE(record.count == info(EventType::tick).hardware_nibbles());
  CHECK(byte_of(record, 0) == type_code(EventType::tick));
  CHECK(byte_of(record, 1) == 0xEF);
  CHECK(byte_of(record, 2) == 0xBE);
  for (std::uint32_t i = 0; i < 8; ++i) CHECK(byte_of(record, 3 + i) == i + 1);
  CHECK(byte_of(record, 11) == 0);
}

TEST_CASE("every type with any arguments and delta comes back as it was") {
  Rng rng(1);
  for (std::size_t t = 0; t < event_types; ++t)
    for (int i = 0; i < 500; ++i) {
      const Event event = random_event(rng, static_cast<EventType>(t));
      const auto delta = static_cast<std::uint16_t>(rng());
      const auto record = encode_hardware(event, delta);
      REQUIRE(std::all_of(record.data().begin(), record.data().end(), [](auto n) { return n < 16; }));
      DecodedRecord back;
      REQUIRE(decode_hardware(record.nibbles.data(), back));
      REQUIRE(back.event == event);
      REQUIRE(back.delta_us == delta);
    }
}

TEST_CASE("a record with an unknown code or a non-zero padding nibble is refused") {
  for (const auto& row : event_catalogue) {
    CAPTURE(row.name);
    const auto good = encode_hardware({static_cast<EventType>(&row - event_catalogue.data()), {}}, 1234);
    for (const std::size_t nibble : {0, 1}) {
      for (const std::uint8_t flip : {1, 2, 4, 8}) {
        auto bad = good;
        bad.nibbles[nibble] ^= flip;
        CHECK_FALSE(reads(bad.nibbles.data()));
      }
    }
    for (std::uint32_t i = 1; i <= 2 * row.padding_bytes(); ++i) {
      auto bad = good;
      bad.nibbles[good.count - i] = 1;
      CHECK_FALSE(reads(bad.nibbles.data()));
    }
  }
}

TEST_CASE("reading at a wrong nibble is noticed by code and padding alone in all but a few percent of the cases") {
  // A random byte is a code with probability 17/256; padding and the zeros of small arguments do the rest.
  Rng rng(2);
  std::vector<std::uint8_t> nibbles;
  std::vector<bool> is_start;
  while (nibbles.size() < 200'000) {
    const auto record = encode_hardware(random_event(rng), static_cast<std::uint16_t>(rng()));
    for (std::uint32_t i = 0; i < record.count; ++i) {
      nibbles.push_back(record.nibbles[i]);
      is_start.push_back(i == 0);
    }
  }
  int wrong = 0;
  int passed = 0;
  for (std::size_t i = 0; i + max_hardware_nibbles < nibbles.size(); ++i) {
    const bool read = reads(nibbles.data() + i);
    if (is_start[i]) {
      REQUIRE(read);
    } else {
      ++wrong;
      passed += read ? 1 : 0;
    }
  }
  CAPTURE(passed, wrong);
  CHECK(passed * 16 < wrong);
}
