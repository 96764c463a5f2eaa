// SPDX-License-Identifier: BSD-3-Clause
#include "base/histogram.hpp"
#include "sw/instrumentation/causality.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
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
    "bins count exactly the values between the bin before and their own upper end, and are few of whatever width") {
  std::mt19937_64 rng(7);
  for (const int octaves : {1, 4, 12, 40}) {
    TimeHistogram histogram;
    std::vector<std::int64_t> values;
    for (int i = 0; i < 5'000; ++i) {
      const std::uint64_t least = std::uint64_t{1} << (52 - octaves);
      const auto octave = rng() % static_cast<unsigned>(octaves);
      values.push_back(static_cast<std::int64_t>((least << octave) + rng() % (least << octave)));
      histogram.add(Time::from_ps(values.back()));
    }
    std::sort(values.begin(), values.end());
    for (const std::size_t most : {100U, 3000U}) {
      CAPTURE(octaves, most);
      const auto bins = histogram.bins(most);
      CHECK(bins.size() <= most);
      CHECK(bins.back().upper.ps() == values.back());
      auto from = values.begin();
      for (const auto& bin : bins) {
        const auto to = &bin == &bins.back() ? values.end() : std::lower_bound(from, values.end(), bin.upper.ps());
        CHECK(bin.count == static_cast<std::uint64_t>(to - from));
        CHECK(bin.count > 0);
        CHECK(static_cast<double>(bin.upper.ps() - *from) <= static_cast<double>(*from)); // at most an octave wide
        from = to;
      }
      CHECK(from == values.end());
    }
  }
}

TEST_CASE("values close to each other keep the finest bins, of 1/1024 of an octave, a hundred and one do not fit") {
  TimeHistogram histogram;
  const std::int64_t base = std::int64_t{1} << 30;
  const std::int64_t width = base / 1024;
  for (int i = 0; i < 100; ++i) histogram.add(Time::from_ps(base + i * width));
  const auto fine = histogram.bins(100);
  REQUIRE(fine.size() == 100);
  CHECK(fine.front().upper.ps() == base + width);
  CHECK(fine.back().upper == histogram.max());
  histogram.add(Time::from_ps(base + 100 * width));
  const auto coarse = histogram.bins(100);
  REQUIRE(coarse.size() == 51); // two and two
  CHECK(coarse.front().count == 2);
  CHECK(coarse.front().upper.ps() == base + 2 * width);
}

TEST_CASE("a histogram of nothing has no bins") { CHECK(TimeHistogram{}.bins(100).empty()); }

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

TEST_CASE("the record of a message whose other side is lost is replaced after as many messages as the table holds") {
  constexpr std::uint64_t capacity = 16;
  CausalityChecker checker(capacity);
  for (std::uint64_t message = 0; message < 10 * capacity; ++message) checker.add(message, MessageSide::send, 5_us);
  CHECK(checker.unpaired() == 9 * capacity);
  checker.add(0, MessageSide::receive, 1_us); // too late: it is ignored, and replaces no other side
  CHECK(checker.pairs() == 0);
  checker.add(9 * capacity, MessageSide::receive, 1_us);
  CHECK(checker.pairs() == 1);
  CHECK(checker.violations() == 1);
}

TEST_CASE("the smallest and the largest error are correct even if all errors have the same sign") {
  for (const int sign : {1, -1}) {
    TimestampError error;
    error.add(3_us * sign);
    error.add(5_us * sign);
    CHECK(error.min == (sign > 0 ? 3_us : 0_us - 5_us));
    CHECK(error.max == (sign > 0 ? 5_us : 0_us - 3_us));
    CHECK(error.mean_us() == 4.0 * sign);
  }
}

TEST_CASE("events that say nothing about a message are ignored") {
  CausalityChecker checker;
  checker.add(1, MessageSide::none, 5_us);
  checker.add(1, MessageSide::receive, 1_us);
  CHECK(checker.pairs() == 0);
  CHECK(checker.unpaired() == 0);
}
