// SPDX-License-Identifier: BSD-3-Clause
// A node's shared clock against one that searches every instant.
#include "sw/monitors/tau/core/shared_clock.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <vector>

using namespace hypermon;
using namespace hypermon::tau;
using hypermon::testing::Random;

namespace {

/// Keeps each access forever, and tries one instant after the other.
class Searching {
public:
  explicit Searching(std::int64_t access) : access_(access) {}

  std::int64_t reserve(std::int64_t date) {
    std::int64_t begin = date;
    while (std::ranges::any_of(begins_, [&](std::int64_t other) { return std::abs(other - begin) < access_; })) ++begin;
    begins_.push_back(begin);
    return begin - date;
  }

private:
  std::int64_t access_;
  std::vector<std::int64_t> begins_;
};

} // namespace

TEST_CASE("an access begins at the first instant at which a search finds the clock free for long enough") {
  const auto cases = testing::cases_wanted(6) * 200;
  std::uint64_t waited = 0;
  std::uint64_t early = 0; // accesses that fit before a reserved one
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const auto access = static_cast<std::int64_t>(1 + r.below(6));
    SharedClock clock(Time::from_ps(access));
    Searching naive(access);
    std::int64_t now = 0;
    std::int64_t latest = -1;
    for (int i = 0; i < 60; ++i) {
      now += static_cast<std::int64_t>(r.below(4));
      const std::int64_t date = now + static_cast<std::int64_t>(r.below(25));
      const std::int64_t wait = naive.reserve(date);
      CAPTURE(i, now, date);
      REQUIRE(clock.reserve(Time::from_ps(date), Time::from_ps(now)) == Time::from_ps(wait));
      waited += wait > 0 ? 1 : 0;
      early += date + wait < latest ? 1 : 0;
      latest = std::max(latest, date + wait);
    }
  }
  CHECK(waited > 5 * cases);
  CHECK(early > 5 * cases);
}

TEST_CASE("accesses that meet wait for each other, and an access that ends when another begins does not") {
  SharedClock clock(Time::from_ps(10));
  CHECK(clock.reserve(Time::from_ps(100), Time{}) == Time{});
  CHECK(clock.reserve(Time::from_ps(90), Time{}) == Time{});
  CHECK(clock.reserve(Time::from_ps(91), Time{}) == Time::from_ps(19));
  CHECK(clock.reserve(Time::from_ps(120), Time::from_ps(105)) == Time{});
}
