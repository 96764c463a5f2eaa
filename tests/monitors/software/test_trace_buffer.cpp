// SPDX-License-Identifier: BSD-3-Clause
// A process's trace buffer against the rules once more, record by record; a clock's line against plain arithmetic.
#include "hw/machine/node_clock.hpp"
#include "sw/monitors/software/core/clock_line.hpp"
#include "sw/monitors/software/core/trace_buffer.hpp"
#include "tests/volume.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <numeric>
#include <random>

using namespace hypermon;
using namespace hypermon::software;

namespace {

constexpr std::int64_t flush_bytes = 19;

/// All records, with their fates: 0 in the buffer, 1 written, 2 lost.
struct Naive {
  struct One {
    Time made;
    std::int64_t bytes;
    int fate;
  };
  std::int64_t capacity;
  bool flushes;
  std::vector<One> all{};
  Time now{};
  std::int64_t written_after_each = 0; // duration of a write in ps, by number of bytes
  std::vector<std::pair<Time, Time>> flushed{};

  std::int64_t held() const {
    std::int64_t sum = 0;
    for (const One& one : all) sum += one.fate == 0 ? one.bytes : 0;
    return sum;
  }
  void make(std::int64_t bytes) {
    if (flushes && held() + bytes > capacity) {
      const Time begin = now;
      now += Time::from_ps(held() * written_after_each);
      for (One& one : all)
        if (one.fate == 0) one.fate = 1;
      flushed.emplace_back(begin, now);
      all.push_back({begin, flush_bytes, 0});
    }
    all.push_back({now, bytes, held() + bytes > capacity ? 2 : 0});
  }
  Amount total(int fate) const {
    Amount amount;
    for (const One& one : all)
      if (one.fate == fate || fate < 0) {
        amount.bytes += static_cast<std::uint64_t>(one.bytes);
        ++amount.records;
      }
    return amount;
  }
};

void check_equal(const Amount& a, const Amount& b) {
  CHECK(a.bytes == b.bytes);
  CHECK(a.records == b.records);
}

} // namespace

TEST_CASE("a process's buffer does what its rules say") {
  std::mt19937_64 random(19);
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  for (int c = 0; c < static_cast<int>(testing::cases_wanted(2000)); ++c) {
    const std::int64_t capacity = draw(56, 400);
    const bool flushes = draw(0, 2) > 0;
    const std::int64_t most = draw(16, 300);
    Naive naive{.capacity = capacity, .flushes = flushes, .written_after_each = draw(0, 1000)};
    TraceBuffer buffer(capacity, flushes);
    Time now;
    std::vector<std::pair<Time, Time>> flushed;
    std::vector<Time> written;
    std::int64_t peak = 0;
    for (std::int64_t r = draw(0, 80); r > 0; --r) {
      const Time pause = Time::from_ps(draw(0, 100'000));
      const std::int64_t bytes = draw(1, 37);
      now += pause;
      naive.now += pause;
      naive.make(bytes);
      if (buffer.must_flush(bytes)) {
        const auto sizes = buffer.writes(most);
        CHECK(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) == buffer.held());
        CHECK(std::all_of(sizes.begin(), sizes.end(), [&](std::int64_t s) { return 0 < s && s <= most; }));
        CHECK(static_cast<std::int64_t>(sizes.size()) == (buffer.held() + most - 1) / most);
        const Time begin = now;
        now += Time::from_ps(buffer.held() * naive.written_after_each);
        for (const Record& record : buffer.take()) written.push_back(record.made);
        flushed.emplace_back(begin, now);
        buffer.add({begin, begin, 0, Kind::flush}, flush_bytes);
      }
      buffer.add({now, now, 0, Kind::enter}, bytes);
      peak = std::max(peak, naive.held());
      REQUIRE(buffer.held() == naive.held());
    }
    CHECK(now == naive.now);
    CHECK(flushed == naive.flushed);
    CHECK(buffer.most() == peak);
    check_equal(buffer.generated(), naive.total(-1));
    check_equal(buffer.delivered(), naive.total(1));
    check_equal(buffer.lost(), naive.total(2));
    std::vector<Time> right;
    std::optional<Time> first_loss;
    for (const Naive::One& one : naive.all) {
      if (one.fate == 1) right.push_back(one.made);
      if (one.fate == 2 && !first_loss) first_loss = one.made;
    }
    CHECK(written == right);
    CHECK(buffer.first_loss() == first_loss);
  }
}

TEST_CASE("16 000 KiB hold 1.37 million records of a call's begin or end") {
  TraceBuffer buffer(16000 * 1024, true);
  std::uint64_t records = 0;
  for (; !buffer.must_flush(12); ++records) buffer.add({{}, {}, 0, Kind::enter}, 12);
  CHECK(std::lround(static_cast<double>(records) / 1e4) == 137); // facts (modern)
}

TEST_CASE("a line between two comparisons puts a drifting clock right wherever it is read") {
  std::mt19937_64 random(20);
  for (int c = 0; c < static_cast<int>(testing::cases_wanted(2000)); ++c) {
    const auto draw = [&](double least, double most) {
      return std::uniform_real_distribution<double>(least, most)(random);
    };
    const double drift = draw(-1e-4, 1e-4);
    const Time offset = Time::from_seconds_rounded(draw(-1, 1));
    const NodeClock clock(drift, offset, 1_ps);
    const Time begin = Time::from_seconds_rounded(draw(0, 1));
    const Time end = begin + Time::from_seconds_rounded(draw(1e-6, 1000));
    const auto compared = [&](Time at) { return ClockLine::Compared{clock.read(at), clock.read(at) - at}; };
    const ClockLine line(compared(begin), compared(end));
    for (int i = 0; i < 10; ++i) {
      const Time at = begin + Time::from_seconds_rounded(draw(0, (end - begin).seconds()));
      CHECK(std::abs((line.right(clock.read(at)) - at).ps()) <= 3);
    }
    const ClockLine once(compared(begin), {});
    CHECK(once.right(clock.read(begin)) == begin);
    CHECK(ClockLine().right(end) == end);
  }
}
