// SPDX-License-Identifier: BSD-3-Clause
// TAU's files: to the byte, and back.
#include "sw/monitors/tau/core/profile_text.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

using namespace hypermon;
using namespace hypermon::tau;
using hypermon::testing::Random;

namespace {

std::string refusal(std::string_view text) {
  try {
    parse_profile(text);
    return "";
  } catch (const ProfileError& error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("a profile is written as TAU writes it") {
  const std::vector<Line> lines{{".TAU application", "TAU_DEFAULT", 1, 2, 1500_us, 2'000'000_us},
                                {"MPI_Send()", "MPI", 2, 0, 1_us, 1_us},
                                {"f", "TAU_USER", 7, 3, Time::from_ps(1), Time::from_ps(123'456'789)}};
  CHECK(profile_text(lines, {{"Hostname", "node3"}, {"a<b", "c&d"}}) ==
        "3 templated_functions_MULTI_TIME\n"
        "# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>Hostname</name><value>node3</value>"
        "</attribute><attribute><name>a&lt;b</name><value>c&amp;d</value></attribute></metadata>\n"
        "\".TAU application\" 1 2 1500 2000000 0 GROUP=\"TAU_DEFAULT\" \n"
        "\"MPI_Send()\" 2 0 1 1 0 GROUP=\"MPI\" \n"
        "\"f\" 7 3 1E-06 123.456789 0 GROUP=\"TAU_USER\" \n"
        "0 aggregates\n");
}

TEST_CASE("random profiles come back as they were written, and a cut one is refused") {
  const auto cases = testing::cases_wanted(6) * 100;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    std::vector<Line> lines;
    for (std::int64_t i = r.below(5); i > 0; --i) {
      const auto time = [&] { return Time::from_ps(r.below(std::int64_t{1} << r.below(50))); }; // 16 digits are exact
      lines.push_back({"routine " + std::to_string(i) + (r.one_in(3) ? " [THROTTLED]" : ""),
                       r.pick<const char*>({"MPI", "TAU_USER", "a | b"}),
                       static_cast<std::uint64_t>(r.below(1'000'000'000'000)),
                       static_cast<std::uint64_t>(r.below(1'000)), time(), time()});
    }
    const std::string text = profile_text(lines, {{"Hostname", "node" + std::to_string(r.below(9))}});
    REQUIRE(parse_profile(text) == lines);
    const auto size = static_cast<std::size_t>(r.below(static_cast<std::int64_t>(text.size())));
    CAPTURE(size);
    REQUIRE(refusal(text.substr(0, size)).starts_with("line "));
  }
}

TEST_CASE("what is no profile is refused with its line") {
  const std::string head =
      "1 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls # <metadata></metadata>\n";
  CHECK(refusal("") == "line 1: a profile expected");
  CHECK(refusal("hello\n") == "line 1: a number expected");
  CHECK(refusal("1 hello\n") == "line 1: \" templated_functions_MULTI_TIME\" expected");
  CHECK(refusal(head + "\"a\" 1 2 3\n") == "line 3: \" \" expected");
  CHECK(refusal(head + "\"a\" 1 2 nan 4 0 GROUP=\"g\" \n0 aggregates\n") == "line 3: microseconds expected");
  CHECK(refusal(head + "\"a\" 1 2 3 4 0 GROUP=\"g\" \n") == "line 3: the profile is cut");
  CHECK(refusal(head + "\"a\" 1 2 3 4 0 GROUP=\"g\" \n0 aggregates") == "line 4: has no end: the profile is cut");
}
