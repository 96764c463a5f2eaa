// SPDX-License-Identifier: BSD-3-Clause
// The monhole's buffer against the paper's sentences: a model that keeps all that was ever written, and looks what has
// become of each.
//
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
#include "sw/monitors/supermon/core/monhole_buffer.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <algorithm>

using namespace hypermon;
using namespace hypermon::supermon;
using hypermon::testing::cases_wanted;
using hypermon::testing::Random;

namespace {

/// "Writes append" or "existing data is replaced"; "reads empty the buffer" or "it is unaffected on a read".
struct Naive {
  enum class State { kept, overwritten, refused, drained, died };
  struct One {
    std::string source;
    std::size_t bytes = 0;
    Time written;
    State state = State::kept;
    std::vector<std::vector<Time>> readings; ///< by sink
  };

  BufferSetting setting;
  std::uint32_t sinks;
  std::vector<One> all;
  std::size_t peak = 0;

  bool replaces() const {
    return setting.policy == BufferPolicy::replace_read || setting.policy == BufferPolicy::replace_drain;
  }
  bool empties() const {
    return setting.policy == BufferPolicy::fill_drain || setting.policy == BufferPolicy::replace_drain;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const One& one : all) sum += one.state == State::kept ? one.bytes : 0;
    return sum;
  }

  bool write(Time now, const std::string& source, std::size_t bytes_of_it) {
    const std::vector<One> before = all;
    std::vector<One*> own;
    for (One& one : all)
      if (one.state == State::kept && one.source == source) own.push_back(&one);
    const bool is_full = setting.policy == BufferPolicy::fill_k_read && own.size() == setting.entries;
    if (!own.empty() && (replaces() || is_full)) own.front()->state = State::overwritten;
    all.push_back({source, bytes_of_it, now, State::kept, std::vector<std::vector<Time>>(sinks)});
    const bool fits = setting.memory == 0 || bytes() <= setting.memory;
    if (!fits) {
      const One refused = all.back();
      all = before;
      all.push_back(refused);
      all.back().state = State::refused;
    }
    peak = std::max(peak, bytes());
    return fits;
  }

  std::vector<std::uint64_t> read(Time now, std::uint32_t sink) {
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].state != State::kept) continue;
      found.push_back(i + 1);
      all[i].readings[sink].push_back(now);
      if (empties()) all[i].state = State::drained;
    }
    return found;
  }

  void die() {
    for (One& one : all)
      if (one.state == State::kept) one.state = State::died;
  }

  BufferLedger ledger() const {
    BufferLedger ledger;
    for (const One& one : all) {
      const BufferAmount amount{1, one.bytes};
      std::size_t readings = 0;
      for (const auto& of_sink : one.readings) readings += of_sink.size();
      ledger.generated += amount;
      if (readings > 0) ledger.read += amount;
      for (std::size_t again = 1; again < readings; ++again) ledger.read_again += amount;
      if (readings > 0) continue;
      if (one.state == State::kept) ledger.left_behind += amount;
      if (one.state == State::overwritten) ledger.overwritten += amount;
      if (one.state == State::refused) ledger.refused += amount;
      if (one.state == State::died) ledger.died += amount;
    }
    return ledger;
  }

  SinkLedger ledger_of(std::uint32_t sink) const {
    SinkLedger ledger;
    for (const One& one : all) {
      const BufferAmount amount{1, one.bytes};
      const auto& readings = one.readings[sink];
      for (std::size_t again = 1; again < readings.size(); ++again) ledger.repeated += amount;
      if (!readings.empty()) {
        ledger.seen += amount;
        ledger.ages_s += (readings.front() - one.written).seconds();
        ledger.oldest = std::max(ledger.oldest, readings.front() - one.written);
        continue;
      }
      if (one.state == State::kept) ledger.left_behind += amount;
      if (one.state == State::overwritten) ledger.overwritten += amount;
      if (one.state == State::refused) ledger.refused += amount;
      if (one.state == State::drained) ledger.drained += amount;
      if (one.state == State::died) ledger.died += amount;
    }
    return ledger;
  }
};

BufferAmount sum(std::initializer_list<BufferAmount> parts) {
  BufferAmount all;
  for (const BufferAmount& part : parts) all += part;
  return all;
}

void check_ledgers(const MonholeBuffer& buffer, const Naive& naive) {
  const BufferLedger got = buffer.ledger();
  REQUIRE(got == naive.ledger());
  REQUIRE(got.generated == sum({got.read, got.overwritten, got.refused, got.died, got.left_behind}));
  BufferAmount readings;
  for (std::uint32_t s = 0; s < naive.sinks; ++s) {
    const SinkLedger sink = buffer.ledger_of(s);
    const SinkLedger expected = naive.ledger_of(s);
    REQUIRE(sink.seen == expected.seen);
    REQUIRE(sink.overwritten == expected.overwritten);
    REQUIRE(sink.drained == expected.drained);
    REQUIRE(sink.refused == expected.refused);
    REQUIRE(sink.died == expected.died);
    REQUIRE(sink.left_behind == expected.left_behind);
    REQUIRE(sink.repeated == expected.repeated);
    REQUIRE(sink.oldest == expected.oldest);
    REQUIRE(sink.ages_s == Approx(expected.ages_s).margin(1e-12));
    REQUIRE(got.generated ==
            sum({sink.seen, sink.overwritten, sink.drained, sink.refused, sink.died, sink.left_behind}));
    readings += sum({sink.seen, sink.repeated});
  }
  REQUIRE(readings == sum({got.read, got.read_again}));
}

BufferSetting drawn_setting(Random& random) {
  BufferSetting setting;
  setting.policy = random.pick<BufferPolicy>(
      {BufferPolicy::replace_read, BufferPolicy::fill_drain, BufferPolicy::replace_drain, BufferPolicy::fill_k_read});
  if (setting.policy == BufferPolicy::fill_k_read) setting.entries = static_cast<std::size_t>(random.between(1, 6));
  setting.memory = random.one_in(2) ? 0 : static_cast<std::size_t>(random.between(1, 400));
  return setting;
}

} // namespace

TEST_CASE("what becomes of every entry is what the policy's sentence says") {
  const std::uint64_t cases = cases_wanted(10'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto sinks = static_cast<std::uint32_t>(random.between(0, 4));
    Naive naive{drawn_setting(random), sinks, {}};
    MonholeBuffer buffer(naive.setting, sinks);
    const std::int64_t sources = random.between(1, 4);
    const std::int64_t writes_of_ten = random.between(0, 10);
    Time now;
    for (std::int64_t step = random.between(0, 60); step > 0; --step) {
      now += Time::from_ps(random.one_in(3) ? 0 : random.between(1, 1'000'000'000));
      if (random.one_in(40)) {
        buffer.die();
        naive.die();
      } else if (random.below(10) < writes_of_ten || sinks == 0) {
        const std::string source = "rank " + std::to_string(random.below(sources));
        const auto bytes = static_cast<std::size_t>(random.between(0, 100));
        REQUIRE(buffer.write(now, source, std::string(bytes, 'x')) == naive.write(now, source, bytes));
      } else {
        const auto sink = static_cast<std::uint32_t>(random.below(sinks));
        std::vector<std::uint64_t> numbers;
        for (const auto& entry : buffer.read(now, sink)) {
          numbers.push_back(entry->number);
          REQUIRE(entry->written == naive.all.at(entry->number - 1).written);
          REQUIRE(entry->source == naive.all.at(entry->number - 1).source);
        }
        REQUIRE(numbers == naive.read(now, sink));
      }
      REQUIRE(buffer.bytes() == naive.bytes());
      REQUIRE((naive.setting.memory == 0 || buffer.bytes() <= naive.setting.memory));
    }
    REQUIRE(buffer.peak().bytes == naive.peak);
    check_ledgers(buffer, naive);
  }
}

TEST_CASE("REPLACE-READ is FILL(1)-READ") {
  Random random(1);
  MonholeBuffer replace({BufferPolicy::replace_read, 0, 0}, 2);
  MonholeBuffer fill({BufferPolicy::fill_k_read, 1, 0}, 2);
  for (int step = 1; step <= 1000; ++step) {
    const Time now = step * 1_ms;
    const std::string source(1, static_cast<char>('a' + random.below(3)));
    const auto sink = static_cast<std::uint32_t>(random.below(2));
    if (random.one_in(3)) {
      CHECK(replace.read(now, sink).size() == fill.read(now, sink).size());
    } else {
      replace.write(now, source, source);
      fill.write(now, source, source);
    }
  }
  CHECK(replace.ledger() == fill.ledger());
}

TEST_CASE("the write behind the K-th overwrites the oldest of its own source, and of no other") {
  MonholeBuffer buffer({BufferPolicy::fill_k_read, 3, 0}, 1);
  buffer.write(1_ms, "other", "kept");
  for (int i = 1; i <= 3; ++i) buffer.write((1 + i) * 1_ms, "own", std::string(1, static_cast<char>('0' + i)));
  CHECK(buffer.ledger().overwritten == BufferAmount{0, 0});
  buffer.write(5_ms, "own", "4");
  CHECK(buffer.ledger().overwritten == BufferAmount{1, 1});
  std::string texts;
  for (const auto& entry : buffer.read(6_ms, 0)) texts += entry->text;
  CHECK(texts == "kept234");
}

TEST_CASE("a sink that never reads makes FILL-DRAIN grow to its limit and no further") {
  const std::size_t limit = 1000;
  const std::size_t entry = 64;
  MonholeBuffer buffer({BufferPolicy::fill_drain, 0, limit}, 1);
  for (int i = 1; i <= 100; ++i) buffer.write(i * 1_ms, "rank", std::string(entry, 'x'));
  const std::size_t fit = limit / entry;
  CHECK(buffer.peak().bytes == fit * entry);
  CHECK(buffer.peak().entries == fit);
  CHECK(buffer.peak().at == static_cast<std::int64_t>(fit) * 1_ms);
  CHECK(buffer.first_refused() == static_cast<std::int64_t>(fit + 1) * 1_ms);
  CHECK(buffer.ledger().refused.entries == 100 - fit);
  CHECK(buffer.ledger_of(0).left_behind.entries == fit);
}

TEST_CASE("entries outlive the buffer that gave them") {
  std::vector<std::shared_ptr<const Entry>> found;
  {
    MonholeBuffer buffer({BufferPolicy::replace_drain, 0, 0}, 1);
    buffer.write(1_ms, "rank", "(profile)");
    found = buffer.read(2_ms, 0);
  }
  REQUIRE(found.size() == 1);
  CHECK(found.front()->text == "(profile)");
}
