// SPDX-License-Identifier: BSD-3-Clause
// Any catalogue: its rules, its codes, and that its events are encoded and decoded.
#include "base/user_error.hpp"
#include "sw/instrumentation/codes.hpp"
#include "sw/instrumentation/record.hpp"
#include "sw/instrumentation/unseen.hpp"
#include "tests/catch.hpp"
#include "tests/instrumentation/random_catalogues.hpp"
#include <set>

using namespace hypermon;
using namespace hypermon::test;

namespace {
void says(const std::string& complaint, const std::string& text) {
  INFO(complaint);
  CHECK(complaint.substr(0, text.size()) == text);
}

/// Error message of reading the catalogue.
std::string complaint(const Json& json) {
  try {
    read(json);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}
} // namespace

TEST_CASE("codes that the tool gives keep the rules, and up to 16 differ in at least 4 bits") {
  Rng rng(1);
  for (const std::size_t rows : {1, 2, 5, 16, 17, 48, 120, 170}) {
    const Catalogue catalogue = read(random_rows(rng, rows));
    CAPTURE(rows, catalogue_value(catalogue));
    std::set<std::uint8_t> codes;
    for (const EventRow& row : catalogue.rows()) {
      codes.insert(row.code);
      CHECK(may_be_code(row.code));
      CHECK(catalogue.nibbles_by_first(row.code & 0xF) == row.hardware_nibbles());
    }
    CHECK(codes.size() == rows);
    if (rows <= 16) CHECK(least_distance(catalogue) >= 4);
  }
}

TEST_CASE("48 events of mixed lengths get codes that differ in two bits: one falsified bit is never another event") {
  Rng rng(2);
  for (int i = 0; i < 20; ++i) CHECK(least_distance(read(random_rows(rng, 48))) == 2);
}

TEST_CASE("a catalogue's text stands for it: read again it is the same, and the same rows give the same codes") {
  Rng rng(3);
  for (const std::size_t rows : {3, 40}) {
    const Json json = random_rows(rng, rows);
    const std::string text = catalogue_value(read(json));
    CHECK(catalogue_value(read(json)) == text);
    CHECK(catalogue_value(read_catalogue(text)) == text);
  }
  CHECK(catalogue_value(read_catalogue("nx2")) == "nx2");
}

TEST_CASE("given codes stay, and those that are left out go around them") {
  Json json = {{"name", "c"},
               {"events",
                {{{"name", "a"}, {"point", "user"}, {"code", 0x0C}},
                 {{"name", "b"}, {"point", "user.0"}},
                 {{"name", "c"}, {"point", "user.1"}, {"code", 0xF3}, {"arguments", {{"a", 4}}}}}}};
  const Catalogue catalogue = read(json);
  CHECK(catalogue.rows()[0].code == 0x0C);
  CHECK(catalogue.rows()[2].code == 0xF3);
  CHECK(least_distance(catalogue) == 4);
}

TEST_CASE("every event of any catalogue is decoded unchanged, and a padding nibble other than zero is refused") {
  Rng rng(4);
  for (int c = 0; c < 40; ++c) {
    const Catalogue catalogue = read(random_rows(rng, 1 + below(rng, 60)));
    for (std::size_t t = 0; t < catalogue.size(); ++t) {
      const Event event = random_event(rng, static_cast<EventType>(t), catalogue);
      const auto delta = static_cast<std::uint16_t>(rng());
      HardwareRecord record = encode_hardware(event, delta, catalogue);
      REQUIRE(record.count == catalogue.rows()[t].hardware_nibbles());
      DecodedRecord back;
      REQUIRE(decode_hardware(record.nibbles.data(), back, catalogue));
      REQUIRE(back.event == event);
      REQUIRE(back.delta_us == delta);
      for (std::uint32_t i = 1; i <= 2 * catalogue.rows()[t].padding_bytes(); ++i) {
        HardwareRecord bad = record;
        bad.nibbles[bad.count - i] = 1;
        REQUIRE_FALSE(decode_hardware(bad.nibbles.data(), back, catalogue));
      }
    }
  }
}

TEST_CASE("an event carries the low bytes of the data that its row names, in the row's order") {
  const Catalogue catalogue = read({{"name", "c"},
                                    {"events",
                                     {{{"name", "s"},
                                       {"point", "mpi.MPI_Send.enter"},
                                       {"arguments", {{"bytes", 2}, {"peer", 1}, {"peer_and_length", 4}}}}}}});
  const auto type = catalogue.type_of(enter_point(MpiFunction::Send));
  REQUIRE(type);
  const Event event = catalogue.event(*type, {.peer = 0x107, .bytes = 0x12345, .peer_and_length = 0x07012345});
  CHECK(event.args == std::array<std::uint32_t, 3>{0x2345, 0x07, 0x07012345});
  CHECK_FALSE(catalogue.type_of(leave_point(MpiFunction::Send)));
  CHECK_FALSE(catalogue.type_of(Point::tick));
}

TEST_CASE("a catalogue that breaks a rule is refused with the place and the rule") {
  const Json good = {{"name", "c"},
                     {"events",
                      {{{"name", "a"}, {"point", "user"}, {"code", 0x12}, {"arguments", {{"value", 1}}}},
                       {{"name", "b"}, {"point", "user.0"}, {"code", 0x23}, {"arguments", {{"a", 4}}}}}}};
  REQUIRE(complaint(good).empty());
  const auto complaint_with = [&](const char* key, const Json& value) {
    Json bad = good;
    bad["events"][1][key] = value;
    return complaint(bad);
  };
  says(complaint_with("name", "a"), "events[1].name = a: is the name of events[0] too");
  says(complaint_with("arguments", "a"), "events[1].arguments = a: must be a mapping");
  Json twice = good;
  twice["events"][1] = {{"name", "b"}, {"point", "user"}};
  says(complaint(twice), "events[1].point = user: is that of a too");
  says(complaint_with("point", "nx2.tock"), "events[1].point = nx2.tock: no such point");
  says(complaint_with("code", 0x12), "events[1].code = 0x12: is the code of a too");
  says(complaint_with("code", 0x52), "events[1].code = 0x52: has the low nibble of a's 0x12 but another length");
  for (const int code : {0x00, 0xFF, 0x11, 256, -1})
    says(complaint_with("code", code), "events[1].code = " + std::to_string(code) + ": must be a byte whose");
  says(complaint_with("arguments", {{"a", 3}}), "events[1].arguments.a = 3: must be 1, 2 or 4 bytes");
  says(complaint_with("arguments", {{"tag", 4}}), "events[1].arguments.tag: user.0 has no such datum; it has a");
  says(complaint_with("cost_us", -1), "events[1].cost_us = -1: must be");
  says(complaint_with("costs", 1), "events[1].costs: no such key");
  says(complaint_with("class", "kernel"), "events[1].class = kernel: must be message");
  says(complaint({{"name", "c"}, {"events", Json::array()}}), "events: must be a list");
  says(complaint({{"name", "nx2"}, {"events", good["events"]}}), "name = nx2: is the built-in");
}

TEST_CASE("a catalogue of NX/2's messages alone sees no communication where the messages are SMPI's, and says so") {
  const auto catalogue = [](std::vector<EventRow> rows) { return Catalogue("own", std::move(rows)); };
  const EventRow tick{"tick", Point::tick, EventClass::process_state, 0x12, {}, 0.0};
  const EventRow sent{"sent", Point::send_start, EventClass::message, 0x21, {}, 0.0};
  const EventRow call{"call", enter_point(MpiFunction{0}), EventClass::mpi, 0x13, {}, 0.0};
  CHECK(unseen(Catalogue::nx2(), "nx2").empty());
  CHECK(unseen(Catalogue::nx2(), "smpi").find("only nx2.process_start, nx2.process_end, nx2.tick, user can occur") !=
        std::string::npos);
  CHECK(unseen(catalogue({sent}), "smpi").find("own: with machine.messages = smpi none of its events occurs") !=
        std::string::npos);
  CHECK(unseen(catalogue({sent}), "nx2").empty());
  CHECK(unseen(catalogue({tick}), "smpi").empty()); // the catalogue has no points of messages
  CHECK(unseen(catalogue({tick, sent, call}), "smpi").empty());
}

TEST_CASE("where every low nibble stands for another length there is no code left") {
  Json json = {{"name", "c"}, {"events", Json::array()}};
  for (unsigned i = 0; i < 16; ++i)
    json["events"].push_back(
        {{"name", "e" + std::to_string(i)}, {"point", info_of(user_point(i)).name}, {"code", coset_code(i)}});
  json["events"].push_back({{"name", "one_more"}, {"point", "user"}});
  CHECK(complaint(json).empty());
  json["events"][16]["arguments"] = {{"value", 2}};
  says(complaint(json), "events[16]: no code is left for an event of 16 nibbles");
}
