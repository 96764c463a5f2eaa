// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/instrumentation/nx2.hpp"
#include <bit>
#include <set>
#include <string>

using namespace hypermon;
using namespace hypermon::test;

TEST_CASE("an event has one type byte and 0 to 3 arguments: 2, 5, 9 or 13 data bytes") {
  std::set<std::uint32_t> sizes;
  for (const auto& row : event_catalogue) {
    sizes.insert(row.data_bytes());
  }
  CHECK(sizes == std::set<std::uint32_t>{2, 5, 9, 13});
}

TEST_CASE("a software record adds a two-byte delta, a hardware record pads it to 32-bit words of eight nibbles") {
  for (const auto& row : event_catalogue) {
    CAPTURE(row.name);
    CHECK(row.software_bytes() == row.data_bytes() + 2);
    CHECK(row.hardware_nibbles() % 8 == 0);
    CHECK(row.hardware_nibbles() / 2 >= row.software_bytes());
    CHECK(row.hardware_nibbles() / 2 < row.software_bytes() + 4);
    CHECK(row.hardware_nibbles() / 2 == row.software_bytes() + row.padding_bytes());
  }
  // Shared facts: 4, 7, 11, 15 bytes and 8, 16, 24, 32 nibbles.
  CHECK(info(EventType::process_end).software_bytes() == 4);
  CHECK(info(EventType::process_end).hardware_nibbles() == 8);
  CHECK(info(EventType::send_start).software_bytes() == 7);
  CHECK(info(EventType::send_start).hardware_nibbles() == 16);
  CHECK(info(EventType::tick).software_bytes() == 11);
  CHECK(info(EventType::tick).hardware_nibbles() == 24);
  CHECK(info(EventType::process_start).software_bytes() == 15);
  CHECK(info(EventType::process_start).hardware_nibbles() == 32);
}

TEST_CASE("an idle node's ticks make the 221 software bytes and 481 nibbles a second of Table 2's MatMul rows") {
  const double ticks_per_second = 1.0 / 0.050;
  CHECK(info(EventType::tick).software_bytes() * ticks_per_second == Approx(221.07).epsilon(0.01));
  CHECK(info(EventType::tick).hardware_nibbles() * ticks_per_second == Approx(481).epsilon(0.01));
}

TEST_CASE("no code has two equal nibbles, and one falsified bit never turns an event into another") {
  for (std::size_t i = 0; i < event_types; ++i) {
    const std::uint8_t a = type_code(static_cast<EventType>(i));
    CHECK(a >> 4 != (a & 0xF));
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint8_t b = type_code(static_cast<EventType>(j));
      CHECK(std::popcount(static_cast<unsigned>(a ^ b)) >= 2);
      if (i == index(EventType::user)) continue;
      CHECK(a >> 4 != b >> 4);
      CHECK((a & 0xF) != (b & 0xF));
      CHECK(std::popcount(static_cast<unsigned>(a ^ b)) >= 4);
    }
  }
}

TEST_CASE("a code names its type, its low nibble the length, and all other bytes are no code") {
  std::size_t codes = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::uint16_t entry = Catalogue::nx2().entry(static_cast<std::uint8_t>(byte));
    if (entry == Catalogue::no_code) continue;
    ++codes;
    const auto type = static_cast<EventType>(entry);
    CHECK(type_code(type) == byte);
    CHECK(Catalogue::nx2().nibbles_by_first(byte & 0xF) == info(type).hardware_nibbles());
  }
  CHECK(codes == event_types);
}

TEST_CASE("every event has a name of its own, a class, and says where it is emitted and why we think so") {
  std::set<std::string> names;
  for (const auto& row : event_catalogue) {
    names.insert(row.name);
    CHECK_FALSE(name(row.event_class).empty());
    CHECK_FALSE(info_of(row.point).emitted.empty());
    CHECK_FALSE(info_of(row.point).source.empty());
  }
  CHECK(names.size() == event_types);
}
