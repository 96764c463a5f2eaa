// SPDX-License-Identifier: BSD-3-Clause
// A node's memory against one that has pages: each touch goes to a page of the process's working set at random, and a
// page that has to be read takes the place of another one at random.
#include "hw/machine/memory.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"

#include <cmath>
#include <numeric>

using namespace hypermon;
using hypermon::testing::Random;

namespace {

constexpr std::int64_t page = 1000;

/// Pages of several processes, of which so many are in memory.
class Pages {
public:
  Pages(const std::vector<std::int64_t>& sizes, std::int64_t room) {
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      first_.push_back(std::ssize(there_));
      there_.resize(there_.size() + static_cast<std::size_t>(sizes[p]));
    }
    for (std::int64_t i = 0; i < std::min(room, std::ssize(there_)); ++i) take(i);
  }
  /// Does the touch of a page miss?
  bool touch(std::size_t process, std::int64_t page, Random& r) {
    const std::int64_t wanted = first_[process] + page;
    if (there_[static_cast<std::size_t>(wanted)]) return false;
    const auto out = static_cast<std::size_t>(r.below(std::ssize(loaded_)));
    there_[static_cast<std::size_t>(loaded_[out])] = false;
    loaded_[out] = wanted;
    there_[static_cast<std::size_t>(wanted)] = true;
    return true;
  }

private:
  void take(std::int64_t which) {
    there_[static_cast<std::size_t>(which)] = true;
    loaded_.push_back(which);
  }
  std::vector<bool> there_;
  std::vector<std::int64_t> first_;
  std::vector<std::int64_t> loaded_;
};

} // namespace

TEST_CASE("random page accesses miss as often as the memory model predicts") {
  const auto seed = GENERATE(range<std::uint64_t>(1, 13));
  CAPTURE(seed);
  Random r(seed);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(r.between(1, 3)));
  for (auto& size : sizes) size = r.between(50, 400);
  const std::int64_t all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  const std::int64_t room = r.between(all / 4, all + 50);
  NodeMemory memory({.bytes = room * page, .page = page, .sweep_bytes_per_s = 1000.0 * page}, {}, sizes.size());
  std::int64_t first = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p) first += memory.resize(p, sizes[p] * page);
  CHECK(first == all);
  Pages naive(sizes, room);
  std::vector<std::int64_t> touched(sizes.size());
  std::vector<std::int64_t> read(sizes.size());
  for (int i = 0; i < 100'000; ++i) { // any of all pages
    std::size_t p = 0;
    std::int64_t which = r.below(all);
    for (; which >= sizes[p]; ++p) which -= sizes[p];
    ++touched[p];
    read[p] += naive.touch(p, which, r) ? 1 : 0;
  }
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    std::int64_t missed = 0;
    for (std::int64_t left = touched[p]; left > 0; left -= 100) // a thousand a second
      missed += memory.misses(p, Time::from_ns(std::min<std::int64_t>(left, 100) * 1'000'000), Time{});
    CHECK(missed == memory.reads(p));
    CHECK(memory.faults(p) == sizes[p] + missed);
    const double share = all > room ? static_cast<double>(all - room) / static_cast<double>(all) : 0;
    const auto touches = static_cast<double>(touched[p]);
    CHECK(std::abs(static_cast<double>(missed) - touches * share) <= 1);
    // Six standard deviations of independent touches; that one page is missed makes another one missing.
    CHECK(std::abs(static_cast<double>(missed - read[p])) <=
          6 * std::sqrt(touches * share * (1 - share)) + 0.002 * touches);
  }
}

TEST_CASE("resident working sets and available memory add up to the node's memory") {
  NodeMemory memory({.bytes = 100, .page = 10, .sweep_bytes_per_s = 10},
                    {{"hog", 150, 5_us, 9_us}, {"hog", 50, 7_us, Time::never()}}, 2);
  CHECK(memory.resize(0, 31) == 4);
  CHECK(memory.resize(0, 12) == 0);
  CHECK(memory.resize(0, 40) == 0); // the fourth page was touched before
  CHECK(memory.resize(1, 10) == 1);
  CHECK(memory.resident(0, 4_us) == 40);
  CHECK(memory.available(4_us) == 50);
  CHECK(memory.resident("hog", 4_us) == 0);
  CHECK(memory.misses(0, Time::from_ns(1'000'000'000), 4_us) == 0);
  CHECK(memory.resident(0, 5_us) == 20); // half of 200
  CHECK(memory.resident(1, 5_us) == 5);
  CHECK(memory.resident("hog", 5_us) == 75);
  CHECK(memory.available(5_us) == 0);
  CHECK(memory.misses(0, Time::from_ns(1'000'000'000), 5_us) == 0); // half a page
  CHECK(memory.misses(0, Time::from_ns(1'000'000'000), 5_us) == 1);
  CHECK(memory.wanted(8_us) == 250);
  CHECK(memory.resident("hog", 9_us) == 50);
  CHECK(memory.available(9_us) == 0);
}
