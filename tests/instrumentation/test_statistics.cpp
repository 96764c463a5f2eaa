#include "sw/instrumentation/causality.hpp"
#include "sw/instrumentation/histogram.hpp"
#include "tests/catch.hpp"
#include <cmath>
#include <random>
#include <vector>

using namespace hypermon;

TEST_CASE("quantiles are within 0.1 % of those of the sorted values, from picoseconds to hours") {
  std::mt19937_64 rng(31);
  TimeHistogram histogram;
  std::vector<std::int64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<std::int64_t>(rng() >> (8 + rng() % 50)));
    histogram.add(Time::from_ps(values.back()));
  }
  std::sort(values.begin(), values.end());
  CHECK(histogram.count() == values.size());
  CHECK(histogram.max().ps() == values.back());
  for (const double q : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = std::max(1.0, std::ceil(q * static_cast<double>(values.size())));
    const auto exact = static_cast<double>(values[static_cast<std::size_t>(rank) - 1]);
    CAPTURE(q, exact);
    CHECK(std::abs(static_cast<double>(histogram.quantile(q)->ps()) - exact) <= exact * 0.001);
  }
}

TEST_CASE("values below 2048 ps have buckets of their own, the first shared bucket is 2 ps wide") {
  for (const std::int64_t v : {0, 1, 1023, 1024, 2047}) {
    TimeHistogram h;
    h.add(Time::from_ps(v));
    h.add(Time::from_ps(1'000'000));
    CHECK(h.quantile(0.5)->ps() == v);
  }
  TimeHistogram h;
  h.add(Time::from_ps(2048));
  h.add(Time::from_ps(1'000'000));
  CHECK(h.quantile(0.5)->ps() == 2049); // middle of 2048 and 2049
}

TEST_CASE("an empty histogram has no quantiles") { CHECK_FALSE(TimeHistogram{}.quantile(0.5).has_value()); }

TEST_CASE(
    "a receive stamped before its send is a violation, an equal or later one is not, in either order of arrival") {
  for (const bool send_first : {true, false}) {
    CausalityChecker checker;
    const auto add = [&](std::uint64_t message, Time sent, Time received) {
      if (send_first) checker.add(message, MessageSide::send, sent);
      checker.add(message, MessageSide::receive, received);
      if (!send_first) checker.add(message, MessageSide::send, sent);
    };
    add(1, 10_us, 10_us);
    add(2, 10_us, 11_us);
    CHECK(checker.violations() == 0);
    add(3, 10_us, 9_us);
    add(4, 10_us, 7_us);
    CHECK(checker.pairs() == 4);
    CHECK(checker.violations() == 2);
    CHECK(checker.worst() == 3_us);
  }
}

TEST_CASE("a side whose partner is lost gives way after as many messages as the table holds") {
  constexpr std::uint64_t capacity = 16;
  CausalityChecker checker(capacity);
  for (std::uint64_t message = 0; message < 10 * capacity; ++message) checker.add(message, MessageSide::send, 5_us);
  CHECK(checker.unpaired() == 9 * capacity);
  checker.add(0, MessageSide::receive, 1_us); // too late: forgotten, and it pushes nobody out
  CHECK(checker.pairs() == 0);
  checker.add(9 * capacity, MessageSide::receive, 1_us);
  CHECK(checker.pairs() == 1);
  CHECK(checker.violations() == 1);
}

TEST_CASE("events that say nothing about a message are ignored") {
  CausalityChecker checker;
  checker.add(1, MessageSide::none, 5_us);
  checker.add(1, MessageSide::receive, 1_us);
  CHECK(checker.pairs() == 0);
  CHECK(checker.unpaired() == 0);
}
