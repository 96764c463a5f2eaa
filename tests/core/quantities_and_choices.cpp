// SPDX-License-Identifier: BSD-3-Clause
// A parameter knows its unit, or the words that it may be.
#include "base/section.hpp"

#include "tests/catch.hpp"

#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace hypermon;

namespace {

enum class Colour { red, light_green, blue };
constexpr auto words_of(Colour) { return words("red", "light-green", "blue"); }

struct PaintParams {
  WholeNanoseconds word_ns = 800;
  Nanoseconds point_ns = 0.5;
  Microseconds send_us = 2.5;
  Milliseconds period_ms = 1000;
  Seconds limit_s = 3;
  Bytes buffer_bytes = 4096;
  WholeMegabytes extent_mb = 64;
  Megabytes near_mb = 5.24288;
  Colour any = Colour::light_green;
  Colour warm = Colour::red;
};

constexpr auto fields_of(const PaintParams*) {
  using P = PaintParams;
  return std::tuple{Field{"word_ns", &P::word_ns, range(1, 1e6), "", ""},
                    Field{"point_ns", &P::point_ns, range(0, 1e6), "", ""},
                    Field{"send_us", &P::send_us, range(0, 1e6), "", ""},
                    Field{"period_ms", &P::period_ms, range(0, 1e6), "", ""},
                    Field{"limit_s", &P::limit_s, range(0, 1e6), "", ""},
                    Field{"buffer_bytes", &P::buffer_bytes, range(512, 65536, 512), "", ""},
                    Field{"extent_mb", &P::extent_mb, range(1, 1e6), "", ""},
                    Field{"near_mb", &P::near_mb, range(0, 1e6), "", ""},
                    Field{"any", &P::any, "", ""},
                    Field{"warm", &P::warm, some<Colour::blue, Colour::red>, "", ""}};
}
static_assert(all_members_described<PaintParams>());

/// Description of the parameter, and its place in a section.
struct Shown {
  FieldInfo field;
  ValueAt at;
};
Shown shown(SectionOf<PaintParams>& section, const std::string& path) {
  std::vector<Shown> found;
  visit_fields(section.values, "paint", [&](const std::string& seen, const FieldInfo& field, ValueAt at) {
    if (seen == path) found.push_back({field, at});
  });
  REQUIRE(found.size() == 1);
  return found[0];
}

using Words = std::vector<std::string_view>;
Words words_in(const Shown& parameter) {
  return {parameter.field.allowed.choices.begin(), parameter.field.allowed.choices.end()};
}

template <class A, class B>
concept Compares = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Adds = requires(A a, B b) {
  a + b;
};

// Code that mixes up units must not compile: only a time becomes a Time, only a size Bytes, and nothing a plain number.
static_assert(std::convertible_to<Microseconds, Time> && std::convertible_to<WholeNanoseconds, Time>);
static_assert(std::convertible_to<Megabytes, Bytes> && std::convertible_to<WholeMegabytes, Bytes>);
static_assert(!std::convertible_to<Bytes, Time> && !std::convertible_to<Megabytes, Time>);
static_assert(!std::convertible_to<Microseconds, Milliseconds> && !std::convertible_to<Microseconds, Bytes>);
static_assert(!std::convertible_to<Microseconds, double> && !std::convertible_to<Bytes, std::int64_t>);
static_assert(Adds<Microseconds, Microseconds> && !Adds<Microseconds, Milliseconds> && !Adds<Microseconds, Bytes>);
static_assert(Compares<Seconds, Seconds> && !Compares<Seconds, Milliseconds>);
static_assert(Compares<WholeNanoseconds, Time> && !Compares<Bytes, Time>);

} // namespace

TEST_CASE("a quantity is a time to the nearest picosecond, or bytes, whatever its unit") {
  const PaintParams p;
  CHECK(Time{p.word_ns} == 800_ns);
  CHECK(Time{p.point_ns} == 500_ps);
  CHECK(Time{p.send_us} == 2500_ns);
  CHECK(Time{p.period_ms} == 1000_ms);
  CHECK(Time{p.limit_s} == 3000_ms);
  CHECK(Time{Nanoseconds{0.0004}} == 0_ps);
  CHECK(Time{Nanoseconds{0.0006}} == 1_ps);
  CHECK(Bytes{p.extent_mb} == 64'000'000);
  CHECK(Bytes{p.near_mb} == 5'242'880);
  CHECK(p.send_us.seconds() == 2.5 * 1e-6);
  CHECK(Time{2 * p.send_us + p.send_us / 2} == 6250_ns);
}

TEST_CASE("a section has a quantity's number as it was written, and its unit") {
  SectionOf<PaintParams> section;
  const Shown send = shown(section, "paint.send_us");
  CHECK(send.field.unit == "us");
  CHECK(*std::get<double*>(send.at) == 2.5);
  *std::get<double*>(send.at) = 0.1;
  CHECK(Time{section.values.send_us} == 100_ns);
  CHECK(shown(section, "paint.word_ns").field.unit == "ns");
  CHECK(*std::get<std::int64_t*>(shown(section, "paint.word_ns").at) == 800);
  CHECK(shown(section, "paint.period_ms").field.unit == "ms");
  CHECK(shown(section, "paint.limit_s").field.unit == "s");
  CHECK(shown(section, "paint.buffer_bytes").field.unit == "B");
  CHECK(shown(section, "paint.near_mb").field.unit == "MB");
}

TEST_CASE("a choice is read and set by its words, in the order in which its field has them") {
  SectionOf<PaintParams> section;
  const Shown any = shown(section, "paint.any");
  CHECK(words_in(any) == Words{"red", "light-green", "blue"});
  CHECK(any.field.unit.empty());
  ChoiceAt at = std::get<ChoiceAt>(any.at);
  CHECK(at.word() == "light-green");
  at.set("blue");
  CHECK(section.values.any == Colour::blue);
  CHECK_THROWS_AS(at.set("light_green"), std::logic_error); // the enumerator's name is not one of its words
  CHECK(section.values.any == Colour::blue);
}

TEST_CASE("a field may be some of a choice's values alone") {
  SectionOf<PaintParams> section;
  const Shown warm = shown(section, "paint.warm");
  CHECK(words_in(warm) == Words{"blue", "red"});
  CHECK(is_allowed(warm.field.allowed, std::string("red")));
  CHECK_FALSE(is_allowed(warm.field.allowed, std::string("light-green")));
  CHECK(what_is_allowed<std::string>(warm.field.allowed) == "string, one of blue, red");
}
