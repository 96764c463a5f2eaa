// SPDX-License-Identifier: BSD-3-Clause
// Faults to inject: each hits at its rate, nobody else, and says so.
#include "hw/hypermon/core/faults.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include <cmath>
#include <map>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

// Results of one run of the lines, datum by datum.
struct Passed {
  std::uint32_t input;
  Time time;
  std::uint32_t datum;
  bool operator==(const Passed&) const = default;
};

struct Lines {
  StrobeFaults faults;
  std::size_t bytes;
  std::vector<Fault> reported;
  std::vector<Passed> passed;

  explicit Lines(const FaultParams& p, std::int64_t width = 4, std::uint32_t first_node = 0, std::size_t inputs = 4)
      : faults(p, first_node, inputs, width), bytes(static_cast<std::size_t>((width + 7) / 8)) {
    faults.on_fault([this](const Fault& f) { reported.push_back(f); });
  }
  void write(std::uint32_t input, Time first, Time spacing, std::span<const std::uint8_t> data) {
    for (const Burst& b : faults.pass({input, first, spacing, data}))
      for (std::size_t j = 0; j * bytes < b.data.size(); ++j) {
        std::uint32_t datum = 0;
        for (std::size_t k = 0; k < bytes; ++k) datum |= std::uint32_t{b.data[j * bytes + k]} << (8 * k);
        passed.push_back({b.input, b.first + b.spacing * static_cast<std::int64_t>(j), datum});
      }
  }
  std::size_t count(FaultKind k) const {
    return static_cast<std::size_t>(
        std::count_if(reported.begin(), reported.end(), [=](const Fault& f) { return f.kind == k; }));
  }
};

std::vector<std::uint8_t> some_data(std::uint64_t seed, std::size_t n, std::int64_t below = 16) {
  Random r(seed);
  std::vector<std::uint8_t> data(n);
  for (auto& d : data) d = static_cast<std::uint8_t>(r.below(below));
  return data;
}

// |count - n p| within 5 standard deviations.
bool at_rate(std::size_t count, std::size_t n, double p) {
  const auto expected = static_cast<double>(n) * p;
  return std::abs(static_cast<double>(count) - expected) < 5 * std::sqrt(expected * (1 - p));
}

FaultParams everything() {
  FaultParams p;
  p.seed = 7;
  p.skew_ns = 400;
  p.skew_first_node = 1;
  p.stuck_at_ms = 0.05;
  p.stuck_for_ms = 0.1;
  p.stuck_first_node = 2;
  p.drop_probability = 0.1;
  p.bit_error_probability = 0.05;
  return p;
}

} // namespace

TEST_CASE("without a fault everything goes on as it came") {
  CHECK_FALSE(StrobeFaults::any({}));
  Lines lines({});
  const auto data = some_data(1, 100);
  const auto on = lines.faults.pass({2, 5_us, 1_us, data});
  REQUIRE(on.size() == 1);
  CHECK(on[0].input == 2);
  CHECK(on[0].first == 5_us);
  CHECK(on[0].spacing == 1_us);
  CHECK(std::equal(on[0].data.begin(), on[0].data.end(), data.begin(), data.end()));
  CHECK(lines.reported.empty());
}

TEST_CASE("each kind of fault alone counts as one to inject") {
  std::vector<FaultParams> of_lines(3);
  of_lines[0].stuck_for_ms = 1;
  of_lines[1].drop_probability = 1e-9;
  of_lines[2].bit_error_probability = 1e-9;
  for (const FaultParams& p : of_lines) {
    CHECK(StrobeFaults::any(p));
    CHECK_FALSE(PbxFaults::any(p));
  }
  FaultParams p;
  p.skew_ns = 375;
  CHECK_FALSE(StrobeFaults::any(p));
  p.skew_ns = 376;
  CHECK(StrobeFaults::any(p));
  FaultParams bus;
  bus.pbx_error_probability = 1e-9;
  CHECK(PbxFaults::any(bus));
  CHECK_FALSE(StrobeFaults::any(bus));
}

TEST_CASE("strobes are dropped at their rate, on their nodes only, and each is reported") {
  FaultParams p;
  p.drop_probability = 0.03;
  p.drop_first_node = 17;
  p.drop_nodes = 2;
  constexpr std::size_t n = 100'000;
  Lines lines(p, 4, 16); // nodes 16 to 19
  const auto data = some_data(2, n);
  for (std::uint32_t input = 0; input < 4; ++input) lines.write(input, 0_us, 1_us, data);
  std::map<std::uint32_t, std::size_t> lost;
  std::vector<Passed> expected;
  std::size_t next = 0;
  for (std::uint32_t input = 0; input < 4; ++input)
    for (std::size_t j = 0; j < n; ++j) {
      const Time t = 1_us * static_cast<std::int64_t>(j);
      if (next < lines.reported.size() && lines.reported[next] == Fault{input, j, FaultKind::dropped_strobe, t}) {
        ++lost[input];
        ++next;
      } else {
        expected.push_back({input, t, data[j]});
      }
    }
  CHECK(next == lines.reported.size());
  CHECK(lines.passed == expected);
  CHECK(lost.size() == 2);
  CHECK(at_rate(lost[1], n, p.drop_probability));
  CHECK(at_rate(lost[2], n, p.drop_probability));
  // Nodes drop independently: together as often as chance has it.
  std::map<std::uint64_t, int> both;
  for (const Fault& f : lines.reported) ++both[f.sequence];
  CHECK(
      at_rate(static_cast<std::size_t>(std::count_if(both.begin(), both.end(), [](auto& b) { return b.second == 2; })),
              n, p.drop_probability * p.drop_probability));
}

TEST_CASE("a stuck line swallows the strobes from its first instant to before its last") {
  FaultParams p;
  p.stuck_at_ms = 1;
  p.stuck_for_ms = 2;
  p.stuck_first_node = 1;
  Lines lines(p);
  const std::uint8_t datum[] = {5};
  const Time times[] = {1_ms - 1_ps, 1_ms, 3_ms - 1_ps, 3_ms};
  for (const Time t : times)
    for (std::uint32_t input : {0u, 1u, 2u}) lines.write(input, t, 0_ps, datum);
  CHECK(lines.reported ==
        std::vector<Fault>{{1, 1, FaultKind::stuck_strobe, 1_ms}, {1, 2, FaultKind::stuck_strobe, 3_ms - 1_ps}});
  CHECK(lines.passed.size() == 3 * std::size(times) - 2);
  CHECK(lines.faults.written(1, 0) == 0);
  CHECK(lines.faults.written(1, 1) == 3);
  CHECK(lines.faults.written(0, 1) == 1);
}

TEST_CASE("more skew than the data are set up before the strobe gives the previous datum") {
  for (const std::int64_t skew : {375, 376}) { // 6 cycles of 62.5 ns
    FaultParams p;
    p.skew_ns = skew;
    p.skew_first_node = 1;
    Lines lines(p);
    const std::uint8_t first[] = {3, 3, 9};
    const std::uint8_t second[] = {0, 6};
    for (std::uint32_t input : {0u, 1u}) {
      lines.write(input, 10_us, 1_us, first);
      lines.write(input, 90_us, 1_us, second);
    }
    std::vector<std::uint32_t> read;
    for (const Passed& d : lines.passed)
      if (d.input == 1) read.push_back(d.datum);
    if (skew == 375) {
      CHECK(read == std::vector<std::uint32_t>{3, 3, 9, 0, 6});
      CHECK(lines.reported.empty());
    } else {
      CHECK(read == std::vector<std::uint32_t>{0, 3, 3, 9, 0}); // before the first strobe, the lines are 0
      // The second datum is the same as the one before: read right.
      CHECK(lines.reported == std::vector<Fault>{{1, 0, FaultKind::skew, 10_us},
                                                 {1, 2, FaultKind::skew, 12_us},
                                                 {1, 3, FaultKind::skew, 90_us},
                                                 {1, 4, FaultKind::skew, 91_us}});
    }
    CHECK(lines.passed.size() == 10);
  }
}

TEST_CASE("with skew, the previous datum is the previous on the lines even if its strobe was lost") {
  FaultParams p;
  p.skew_ns = 1000;
  p.stuck_at_ms = 1;
  p.stuck_for_ms = 1;
  Lines lines(p);
  const std::uint8_t data[] = {4, 7, 2};
  lines.write(0, 500_us, 1_ms, data); // the second strobe is lost
  REQUIRE(lines.passed.size() == 2);
  CHECK(lines.passed[1].datum == 7);
}

TEST_CASE("bits are inverted at their rate, on their nodes only, in every bit of the datum") {
  for (const std::int64_t width : {4, 8, 16, 32}) {
    CAPTURE(width);
    FaultParams p;
    p.bit_error_probability = 0.01;
    p.bit_error_first_node = 3;
    p.bit_error_nodes = 1;
    Lines lines(p, width);
    constexpr std::size_t n = 50'000;
    const auto bytes = some_data(3, n * lines.bytes, width == 4 ? 16 : 256);
    lines.write(0, 0_us, 1_us, bytes);
    const auto untouched = lines.passed;
    CHECK(lines.reported.empty());
    lines.passed.clear();
    lines.write(3, 0_us, 1_us, bytes);
    REQUIRE(lines.passed.size() == n);
    std::vector<std::size_t> flips(static_cast<std::size_t>(width));
    std::vector<Fault> expected;
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint32_t difference = lines.passed[j].datum ^ untouched[j].datum;
      if (difference != 0) expected.push_back({3, j, FaultKind::bit_error, lines.passed[j].time});
      for (std::size_t b = 0; b < 32; ++b)
        if ((difference >> b & 1) != 0) ++flips.at(b);
    }
    CHECK(lines.reported == expected);
    for (const std::size_t f : flips) CHECK(at_rate(f, n, p.bit_error_probability));
    const double any_bit = 1 - std::pow(1 - p.bit_error_probability, static_cast<double>(width)); // independent
    CHECK(at_rate(expected.size(), n, any_bit));
  }
}

TEST_CASE("what happens to a datum does not depend on how the bursts are cut, and does on the seed") {
  constexpr std::size_t n = 2000;
  const auto data = some_data(4, n);
  const auto run = [&](const FaultParams& p, std::int64_t longest) {
    Lines lines(p);
    Random cuts(5);
    for (std::uint32_t input = 0; input < 4; ++input)
      for (std::size_t at = 0; at < n;) {
        const auto size = std::min(n - at, static_cast<std::size_t>(cuts.between(1, longest)));
        lines.write(input, 1_us * static_cast<std::int64_t>(at), 1_us, std::span(data).subspan(at, size));
        at += size;
      }
    return lines;
  };
  FaultParams p = everything();
  const Lines whole = run(p, n);
  for (const auto kind : {FaultKind::dropped_strobe, FaultKind::stuck_strobe, FaultKind::skew, FaultKind::bit_error})
    CHECK(whole.count(kind) > 0);
  for (const std::int64_t longest : {1, 3, 50}) {
    const Lines cut = run(p, longest);
    CHECK(cut.passed == whole.passed);
    CHECK(cut.reported == whole.reported);
  }
  ++p.seed;
  CHECK(run(p, 50).reported != whole.reported);
}

TEST_CASE("every datum goes on once or is reported lost once, and the board's count finds the node's") {
  constexpr std::size_t n = 3000;
  Lines lines(everything());
  std::map<std::uint32_t, std::vector<std::uint64_t>> went; // sequence numbers, by the time of the strobe
  for (std::uint32_t input = 0; input < 4; ++input) lines.write(input, 0_us, 1_us, some_data(6, n));
  for (const Passed& d : lines.passed) went[d.input].push_back(static_cast<std::uint64_t>(d.time / 1_us));
  for (std::uint32_t input = 0; input < 4; ++input) {
    std::vector<std::uint64_t> all = went[input];
    for (const Fault& f : lines.reported)
      if (f.input == input && is_loss(f.kind)) all.push_back(f.sequence);
    std::sort(all.begin(), all.end());
    REQUIRE(all.size() == n);
    for (std::size_t j = 0; j < n; ++j) REQUIRE(all[j] == j);
    for (std::size_t j = 0; j < went[input].size(); ++j) REQUIRE(lines.faults.written(input, j) == went[input][j]);
  }
}

TEST_CASE("words of the bus fail at their rate, the same whether read by words or by frames") {
  FaultParams p;
  p.pbx_error_probability = 0.002;
  PbxFaults by_words(p);
  PbxFaults by_frames(p);
  constexpr std::size_t frames = 50'000;
  Random lengths(8);
  std::size_t words = 0;
  std::size_t failed = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const auto length = static_cast<std::size_t>(lengths.between(3, 4));
    std::size_t in_frame = 0;
    for (std::size_t w = 0; w < length; ++w) in_frame += by_words.next_word_fails() ? 1 : 0;
    REQUIRE(by_frames.next_frame_fails(length) == (in_frame > 0));
    words += length;
    failed += in_frame;
  }
  CHECK(at_rate(failed, words, p.pbx_error_probability));
  p.pbx_error_probability = 0;
  CHECK_FALSE(PbxFaults(p).next_frame_fails(1000));
  p.pbx_error_probability = 1;
  CHECK(PbxFaults(p).next_word_fails());
}

TEST_CASE("power-on garbage is random, and the same for the same seed") {
  FaultParams p;
  std::array<std::uint32_t, 4> words{};
  std::array<std::size_t, 32> ones{};
  constexpr std::size_t frames = 5000;
  for (std::uint64_t f = 0; f < frames; ++f) {
    garbage_frame(p, f, words);
    for (const std::uint32_t w : words)
      for (std::size_t b = 0; b < 32; ++b) ones[b] += w >> b & 1;
  }
  for (const std::size_t n : ones) CHECK(at_rate(n, frames * words.size(), 0.5));
  auto again = words;
  garbage_frame(p, frames - 1, again);
  CHECK(again == words);
  ++p.seed;
  garbage_frame(p, frames - 1, again);
  CHECK(again != words);
}
