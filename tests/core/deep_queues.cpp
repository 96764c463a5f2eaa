// SPDX-License-Identifier: BSD-3-Clause
// Queues and logs that lie in files when they are long, against the standard library's containers.
#include "base/deep_queue.hpp"
#include "base/packed_log.hpp"
#include "base/spaced_times.hpp"

#include "tests/catch.hpp"
#include "tests/random.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <limits>

using namespace hypermon;
using hypermon::testing::Random;

namespace {

enum class Shade : std::uint8_t { red, green, blue };

struct Item {
  std::uint64_t key = 0; // rises
  std::int64_t any = 0;
  Time at;
  std::uint8_t small = 0;
  bool yes = false;
  Shade colour{};
  std::uint32_t mark = 0; // may be changed while the item is in the queue

  template <class Coder> void code(Coder& c, Item& before) {
    c(key, before.key);
    c(any, before.any);
    c(at, before.at);
    c(small, before.small);
    c(yes, before.yes);
    c(colour, before.colour);
    c.fixed(mark);
  }
  bool operator==(const Item&) const = default;
};

Item random_item(Random& r, std::uint64_t key) {
  Item item{key, 0, Time::from_ps(r.below(1000)), static_cast<std::uint8_t>(r.below(256)), r.one_in(2), Shade::blue, 0};
  item.any = r.pick({0, 1, -1, 127, 128, -12345678, std::numeric_limits<std::int64_t>::max(),
                     std::numeric_limits<std::int64_t>::min()});
  item.colour = r.pick<Shade>({Shade::red, Shade::green, Shade::blue});
  if (r.one_in(5)) item.at = Time::never();
  return item;
}

} // namespace

TEST_CASE("a deep queue is a queue, however few of its items are in memory") {
  std::size_t most_blocks = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const auto file = std::make_shared<SpillFile>();
    DeepQueue<Item> queue(static_cast<std::size_t>(r.pick({2, 3, 10, 200, 3000})), r.one_in(3) ? nullptr : file);
    std::deque<Item> expected;
    std::uint64_t key = 0;
    const std::int64_t filling = r.pick({4, 6, 9}); // insertions among ten operations
    for (int step = 0; step < 6'000; ++step) {
      if (expected.empty() || r.below(10) < filling) {
        for (std::int64_t n = r.pick({1, 1, 1, 40}); n > 0; --n) {
          expected.push_back(random_item(r, key += static_cast<std::uint64_t>(r.below(3)) + 1));
          if (r.one_in(2))
            queue.push(expected.back());
          else
            queue.append() = expected.back();
        }
      } else if (const std::int64_t what = r.below(40); what < 30) {
        for (std::int64_t n = r.pick({1, 1, 30}); n > 0 && !expected.empty(); --n) {
          REQUIRE(queue.front() == expected.front());
          expected.pop_front();
          queue.pop();
        }
      } else if (what < 33) {
        REQUIRE(queue.newest() == expected.back());
        expected.pop_back();
        queue.pop_back();
      } else if (what < 35) {
        const auto i = static_cast<std::size_t>(r.below(std::min<std::int64_t>(std::ssize(expected), 5)));
        expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
        queue.erase(i);
      } else if (what < 37) { // an item inside the queue is found by its key, and marked
        const std::uint64_t wanted =
            expected.front().key +
            static_cast<std::uint64_t>(r.below(static_cast<std::int64_t>(key - expected.front().key + 1)));
        const auto after = std::partition_point(expected.begin(), expected.end(),
                                                [=](const Item& item) { return item.key <= wanted; });
        Item* const found = queue.last_of([=](const Item& item) { return item.key <= wanted; });
        REQUIRE(found != nullptr);
        REQUIRE(*found == *std::prev(after));
        found->mark = std::prev(after)->mark = static_cast<std::uint32_t>(step);
        REQUIRE(queue.last_of([&](const Item& item) { return item.key < expected.front().key; }) == nullptr);
      } else if (what < 38 && r.one_in(10)) { // any items, which are then loaded into memory
        const auto i = static_cast<std::size_t>(r.below(std::ssize(expected)));
        REQUIRE(queue[i] == expected[i]);
      } else if (what < 39 && r.one_in(100)) {
        queue.clear();
        expected.clear();
      }
      REQUIRE(queue.size() == expected.size());
      REQUIRE(queue.empty() == expected.empty());
      if (!expected.empty()) REQUIRE(queue.newest() == expected.back());
      most_blocks = std::max(most_blocks, file->blocks());
    }
    for (; !expected.empty(); expected.pop_front(), queue.pop()) REQUIRE(queue.front() == expected.front());
    CHECK(queue.empty());
    CHECK(file->blocks() == 0);
  }
  CHECK(most_blocks > 10);
}

TEST_CASE("items that are over leave the newest end of a deep queue, and the others stay in their order") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random r(seed);
    DeepQueue<Item> queue(static_cast<std::size_t>(r.pick({2, 50, 1000})));
    std::deque<Item> expected;
    std::size_t removed = 0;
    for (std::uint64_t key = 1; key < 5000; ++key) {
      if (queue.full()) {
        const auto is_over = [](const Item& item) { return item.small % 3 == 0; };
        std::vector<Item> over;
        queue.remove_newest(is_over, [&](const Item& item) { over.push_back(item); });
        for (const Item& item : over) {
          REQUIRE(is_over(item));
          expected.erase(std::ranges::find(expected, item.key, &Item::key));
        }
        removed += over.size();
      }
      queue.push(random_item(r, key));
      expected.push_back(queue.newest());
    }
    CHECK(removed > 0);
    REQUIRE(queue.size() == expected.size());
    for (; !expected.empty(); expected.pop_front(), queue.pop()) REQUIRE(queue.front() == expected.front());
  }
}

TEST_CASE("a packed log is read as it was written, by several at once") {
  const auto file = std::make_shared<SpillFile>();
  Random r(7);
  PackedLog<Item> log(file, 1 << 12);
  std::vector<Item> expected;
  for (std::uint64_t key = 0; key < 5000; ++key) {
    expected.push_back(random_item(r, key));
    log.append(expected.back());
    if (key != 3 && key != 4999) continue;
    PackedLog<Item>::Cursor one(log);
    PackedLog<Item>::Cursor other(log);
    std::size_t behind = 0;
    for (const Item& item : expected) {
      REQUIRE(one.next() == item);
      if (r.one_in(2)) REQUIRE(other.next() == expected[behind++]);
    }
    CHECK_THROWS_AS(one.next(), std::out_of_range);
  }
  CHECK(log.size() == expected.size());
  CHECK(file->blocks() > 5);
}

TEST_CASE("times of any spacing leave as they came, and runs of equal spacing take the memory of one") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random r(seed);
    SpacedTimes times;
    std::deque<Time> expected;
    Time now;
    Time spacing = 1_ns;
    for (int step = 0; step < 3000; ++step) {
      if (r.one_in(20)) spacing = Time::from_ps(r.below(3) * 500);
      if (r.below(5) < 3) {
        expected.push_back(now += spacing);
        times.push(now);
      } else if (!expected.empty()) {
        expected.pop_front();
        times.pop();
      }
      REQUIRE(times.size() == expected.size());
      REQUIRE(times.empty() == expected.empty());
      if (!expected.empty()) REQUIRE(times.front() == expected.front());
    }
  }
}

TEST_CASE("a folder of temporary files that is not there is named") {
  const char* const before = std::getenv("TMPDIR");
  ::setenv("TMPDIR", "/no/such/folder", 1);
  DeepQueue<Item> queue(2);
  std::string message;
  try {
    for (std::uint64_t key = 0; key < 100; ++key) queue.push({key, 0, {}, 0, false, {}, 0});
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  before != nullptr ? ::setenv("TMPDIR", before, 1) : ::unsetenv("TMPDIR");
  CHECK(message.starts_with("/no/such/folder: No such file or directory"));
}
