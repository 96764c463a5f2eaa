// SPDX-License-Identifier: BSD-3-Clause
// Json against nlohmann's: the same values made of both give the same text, are equal alike, and are read alike.
#include "base/json_value.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>
#include <sstream>
#include <vector>

using namespace hypermon;
using hypermon::testing::Random;

namespace {

using Library = nlohmann::ordered_json;

/// The same value of both.
struct Pair {
  Json ours;
  Library librarys;
};

template <class T> Pair pair_of(const T& value) { return {value, value}; }

Pair some_number(Random& r) {
  switch (r.below(7)) {
  case 0:
    return pair_of(r.below(3));
  case 1:
    return pair_of(static_cast<int>(r.below(200)) - 100);
  case 2:
    return pair_of(std::numeric_limits<std::int64_t>::min());
  case 3:
    return pair_of(std::numeric_limits<std::uint64_t>::max());
  case 4:
    return pair_of(static_cast<double>(r.below(3)));
  case 5:
    return pair_of(static_cast<double>(r.below(1'000'000'000)) / 7e-5);
  default:
    return pair_of(static_cast<double>(r.below(1000)) * 1e-300);
  }
}

std::string some_text(Random& r) {
  return r.pick<std::string>({"", "a", "b", "word of \"Place\"", "\n\t\\", "µs — 20 °C", std::string("\0\x1f", 2)});
}

Pair some_value(Random& r, int depth);

Pair some_list(Random& r, int depth) {
  Pair list{Json::array(), Library::array()};
  for (auto n = r.below(4); n > 0; --n) {
    Pair value = some_value(r, depth);
    list.ours.push_back(std::move(value.ours));
    list.librarys.push_back(std::move(value.librarys));
  }
  return list;
}

Pair some_object(Random& r, int depth) {
  Pair object{Json::object(), Library::object()};
  for (auto n = r.below(4); n > 0; --n) {
    const std::string key = some_text(r);
    Pair value = some_value(r, depth);
    object.ours[key] = std::move(value.ours); // an existing member is replaced in place
    object.librarys[key] = std::move(value.librarys);
  }
  return object;
}

Pair some_value(Random& r, int depth) {
  switch (r.below(depth == 0 ? 4 : 7)) {
  case 0:
    return pair_of(nullptr);
  case 1:
    return pair_of(r.one_in(2));
  case 2:
    return some_number(r);
  case 3:
    return pair_of(some_text(r));
  case 4: { // braces: is it an object?
    const Pair a = some_value(r, depth - 1);
    const Pair b = some_value(r, depth - 1);
    if (r.one_in(2)) return {{a.ours, b.ours}, {a.librarys, b.librarys}};
    const std::string key = some_text(r);
    return {{{key, a.ours}, {"b", b.ours}}, {{key, a.librarys}, {"b", b.librarys}}};
  }
  case 5:
    return some_list(r, depth - 1);
  default:
    return some_object(r, depth - 1);
  }
}

template <class Act> std::string complaint(Act&& act) {
  try {
    act();
  } catch (const JsonError& e) {
    return e.what();
  }
  return {};
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("JSON is written, read and compared as nlohmann's") {
  Random r(20);
  std::vector<Pair> before;
  for (int i = 0; i < 20'000; ++i) {
    const Pair value = some_value(r, 4);
    const int indent = static_cast<int>(r.below(4)) - 1;
    const std::string text = value.librarys.dump(indent);
    REQUIRE(value.ours.dump(indent) == text);
    const Json again = Json::parse(text);
    REQUIRE(again.dump(indent) == text);
    REQUIRE(again == value.ours);
    std::istringstream stream(text);
    REQUIRE(Json::parse(stream) == again);
    for (const Pair& other : before) REQUIRE((other.ours == value.ours) == (other.librarys == value.librarys));
    REQUIRE(value.ours.size() == (value.librarys.is_primitive() ? 0 : value.librarys.size()));
    if (before.size() < 30)
      before.push_back(value);
    else
      before[static_cast<std::size_t>(r.below(std::ssize(before)))] = value;
  }
}

TEST_CASE("JSON is made of numbers, text and lists of C++") {
  CHECK(Json(std::vector{1, 2}).dump() == "[1,2]");
  CHECK(Json(std::vector{true, false}).dump() == "[true,false]");
  CHECK(Json(std::array{"a", "b"}).dump() == R"(["a","b"])");
  CHECK(Json(std::string_view("text")).dump() == R"("text")");
  CHECK(Json(-1L).dump() + Json(1U).dump() + Json('a' - 'a').dump() == "-110");
  CHECK(Json(std::numeric_limits<double>::infinity()).dump() == "null");
  CHECK(Json{{"a", 1}, {"a", 2}}.dump() == R"({"a":1})");
  CHECK(Json{}.dump() == "null");
}

TEST_CASE("what JSON says is taken as values of C++") {
  const Json json =
      Json::parse(R"({"number": 3, "real": 2.5, "text": "t", "list": [1, 2, 3], "yes": true, "none": null})");
  CHECK(json.at("number").get<int>() == 3);
  CHECK(json["number"].get<double>() == 3.0);
  CHECK(json["real"].get<std::int64_t>() == 2);
  CHECK(json["text"].get<std::string>() == "t");
  CHECK(json["list"].get<std::vector<std::uint8_t>>() == std::vector<std::uint8_t>{1, 2, 3});
  CHECK(json["list"][2] == 3);
  CHECK(json.value("number", 7) == 3);
  CHECK(json.value("other", 7) == 7);
  CHECK(json.find("other") == nullptr);
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += key + (value.is_null() ? "!" : " ");
  CHECK(keys == "number real text list yes none!");
  std::size_t values = 0;
  for (const Json& value : json["none"]) values += value.size() + 1;
  CHECK(values == 0); // null has none
}

TEST_CASE("what JSON does not have is refused by name") {
  Json json = Json::parse(R"({"number": 3, "list": [1]})");
  const Json& same = json;
  CHECK(complaint([&] { json.at("other"); }) == "`other` is missing");
  CHECK(complaint([&] { same["other"]; }) == "`other` is missing");
  CHECK(complaint([&] { json["number"].at("other"); }) == "must be an object, but is a number");
  CHECK(complaint([&] { json["number"]["other"]; }) == "must be an object, but is a number");
  CHECK(complaint([&] { json["number"].get<std::string>(); }) == "must be text, but is a number");
  CHECK(complaint([&] { json["number"].get<bool>(); }) == "must be true or false, but is a number");
  CHECK(complaint([&] { json["list"].get<double>(); }) == "must be a number, but is a list");
  CHECK(complaint([&] { json["list"][1]; }) == "the list has no value 1");
  CHECK(complaint([&] { json["number"].push_back(1); }) == "must be a list, but is a number");
  CHECK(complaint([&] { Json().get<std::vector<int>>(); }) == "must be a list, but is null");
  CHECK(complaint([&] { json["number"].begin(); }) == "must be a list, but is a number");
  CHECK(contains(complaint([&] { Json::parse("{\"a\": "); }), "line 1, column 7"));
  CHECK(contains(complaint([&] { Json::parse("1e999"); }), "1e999"));
  CHECK_THROWS_AS(Json("\xff").dump(), JsonError); // no UTF-8
}
