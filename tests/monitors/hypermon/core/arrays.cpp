// SPDX-License-Identifier: BSD-3-Clause
// Strobes as arrays: the closed form is the board, bit for bit, that core_equals_oracle.cpp compares with the contract.
#include "hw/hypermon/core/capture_arrays.hpp"
#include "hw/hypermon/core/closed_form.hpp"
#include "hw/hypermon/core/replay.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/core/shrinking_cases.hpp"
#include "tests/rounds.hpp"
#include <cstring>
#include <numeric>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct Strobes {
  std::vector<std::int64_t> time_ns;
  std::vector<std::uint8_t> node;
  std::vector<std::uint32_t> datum;

  void add(std::int64_t time, std::uint32_t input, std::uint32_t value) {
    time_ns.push_back(time);
    node.push_back(static_cast<std::uint8_t>(input));
    datum.push_back(value);
  }
  StrobeArrays arrays() const { return {time_ns, node, datum}; }
};

/// A case's strobes in the order of their times, which are cut to whole nanoseconds.
Strobes strobes_of(const Case& c) {
  Strobes all;
  Random r(c.seed);
  for (const BurstShape& b : c.bursts)
    for (std::int64_t j = 0; j < b.data; ++j)
      all.add((b.first + b.spacing * j).ps() / 1000, b.input,
              static_cast<std::uint32_t>(r.engine()) & mask_of_datum(c.hardware.port.width_bits));
  std::vector<std::size_t> order(all.time_ns.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return all.time_ns[a] < all.time_ns[b]; });
  Strobes sorted;
  for (const std::size_t i : order) sorted.add(all.time_ns[i], all.node[i], all.datum[i]);
  return sorted;
}

Replay on_the_board(const Hardware& h, const Strobes& strobes) {
  const std::size_t bytes = bytes_per_datum(h.port.width_bits);
  std::vector<Burst> bursts;
  for (std::size_t i = 0; i < strobes.datum.size(); ++i) // little-endian
    bursts.push_back({strobes.node[i],
                      Time::from_ns(strobes.time_ns[i]),
                      0_ps,
                      {reinterpret_cast<const std::uint8_t*>(&strobes.datum[i]), bytes}});
  return replay(h.port, h.ecb, h.pbx, h.reader, bursts);
}

/// The rows as frames.
std::vector<DeliveredFrame> frames_of(FrameRows& rows) {
  std::vector<DeliveredFrame> frames;
  const FrameFormat& format = rows.format();
  std::array<std::uint32_t, FrameFormat::max_words> words{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::byte* row = rows.row(i);
    const std::size_t n = format.data_words() + 1;
    std::memcpy(words.data(), row, 4 * n);
    EventFrame frame = format.unpack(std::span(words).first(FrameFormat::max_words));
    frame.timestamp = 0;
    std::memcpy(&frame.timestamp, row + rows.timestamp_at(), rows.wide_timestamp() ? 8 : 4);
    std::int64_t read_end = 0;
    std::memcpy(&read_end, row + rows.read_end_at(), 8);
    frames.push_back({frame, Time::from_ns(read_end)});
  }
  return frames;
}

struct Seen {
  std::uint64_t strobes = 0;
  std::uint64_t in_closed_form = 0;                                                 ///< strobes
  std::uint64_t aliasing = 0, node_overruns = 0, windows_lost = 0, frames_lost = 0; ///< cases in closed form
};

std::string compare(const Hardware& h, const Strobes& strobes, Seen& seen) {
  const Replay expected = on_the_board(h, strobes);
  const bool closed = ClosedForm::holds(h.ecb, h.pbx, h.reader);
  const std::string how = closed ? "in closed form, " : "on the board, ";
  const Counts counted = capture_arrays(h.port, h.ecb, h.pbx, h.reader, strobes.arrays(), nullptr);
  if (const auto d = difference(counted, expected.counts); !d.empty()) return how + "only counted: " + d;
  FrameRows rows(FrameFormat(h.port, h.ecb));
  const Counts counts = capture_arrays(h.port, h.ecb, h.pbx, h.reader, strobes.arrays(), &rows);
  if (const auto d = difference(counts, expected.counts); !d.empty()) return how + d;
  if (const auto d = difference("frame", frames_of(rows), expected.frames); !d.empty()) return how + d;
  seen.strobes += counts.strobes;
  if (!closed) return {};
  ClosedForm plain(h.port, h.ecb, h.pbx, h.reader, false); // with other strobes together
  FrameRows plain_rows(FrameFormat(h.port, h.ecb));
  plain.capture(strobes.arrays(), &plain_rows);
  if (const auto d = difference(plain.counts(), expected.counts); !d.empty()) return "not wide: " + d;
  if (const auto d = difference("frame", frames_of(plain_rows), expected.frames); !d.empty()) return "not wide: " + d;
  seen.in_closed_form += counts.strobes;
  seen.aliasing += counts.aliasing > 0 ? 1 : 0;
  seen.node_overruns += counts.node_overruns > 0 ? 1 : 0;
  seen.windows_lost += counts.windows_lost > 0 ? 1 : 0;
  seen.frames_lost += counts.frames_lost > 0 ? 1 : 0;
  return {};
}

constexpr std::uint64_t strobes_wanted = 3'000'000;

Seen compare_arrays(const Varied& varied, std::uint64_t seed) {
  const std::uint64_t wanted = from_environment("HYPERMON_TEST_STROBES", strobes_wanted);
  Seen seen;
  check_in_rounds(
      seed, [&] { return seen.strobes >= wanted; },
      [&] {
        Case c = *cases(varied);
        Random r(c.seed);
        if (!varied.formats) { // designs that leave the closed form
          c.hardware.ecb.timestamp_bits = r.pick({1, 5, 31, 32, 33, 64});
          c.hardware.port.width_bits = r.pick({4, 4, 8, 16, 32});
        }
        if (r.one_in(8)) { // vectors without end, but no node FIFO can be full
          c.hardware.ecb.vector_fifo_entries = r.between(65, 300);
          c.hardware.ecb.node_fifo_entries = 301;
        }
        return compare(c.hardware, strobes_of(c), seen);
      });
  return seen;
}

Counts capture(const Strobes& strobes, const EcbParams& ecb = {}, const PortParams& port = {}) {
  return capture_arrays(port, ecb, {}, {}, strobes.arrays(), nullptr);
}

} // namespace

TEST_CASE("the board agrees with the contract in closed form, where FIFOs drop what is new and the reader is ideal") {
  const Seen seen = compare_arrays({.depths = true}, 7'000'000);
  CHECK(seen.in_closed_form >= seen.strobes * 8 / 10);
  if (seen.strobes < strobes_wanted) return;
  CHECK(seen.aliasing >= 20);
  CHECK(seen.node_overruns >= 20);
  CHECK(seen.windows_lost >= 20);
  CHECK(seen.frames_lost >= 20);
}

TEST_CASE("the board agrees with the contract on arrays, where there is no closed form") {
  const Seen seen = compare_arrays({.depths = true, .policies = true, .formats = true, .readers = true}, 8'000'000);
  CHECK(seen.in_closed_form <= seen.strobes / 2);
}

TEST_CASE("the number of a window is exact up to the latest time, for windows of any length") {
  // A lone strobe's frame: read to the end at n + 1 + B + 1 + D (spec secs. 2 and 3), where n ends the window.
  Random r(1);
  for (int round = 0; round < 2000; ++round) {
    EcbParams ecb;
    ecb.window_ns = 50 * r.pick({1, 2, 3, 16, 20'000'000, r.between(1, 100), r.between(1, 20'000'000)});
    ecb.builder_cycles = 2;
    const std::int64_t k = r.below(StrobeArrays::latest_ns / ecb.window_ns.number);
    const std::int64_t t = k * ecb.window_ns.number + r.pick({0, 1, ecb.window_ns.number - 1});
    Strobes one;
    one.add(t, 0, 1);
    REQUIRE(capture(one, ecb).end == Time::from_ns((k + 1) * ecb.window_ns.number) + cycles(1 + 2 + 1) + 4 * 800_ns);
  }
}

TEST_CASE("a frame that leaves at the edge at which another one is pushed does not count in the peak with it") {
  EcbParams ecb;
  ecb.window_ns = 200;
  ecb.builder_cycles = 4;
  PbxParams pbx;
  pbx.word_ns = 87; // 4 words end at the first edge at or after 348 ns: D = 7
  Strobes three;
  for (const std::int64_t t : {0, 200, 400}) three.add(t, 0, 1); // pushed at f, f + 4 and f + 8
  // The first leaves at f + 1 + D = f + 8.
  CHECK(capture_arrays({}, ecb, pbx, {}, three.arrays(), nullptr).peak_frame_fifo == 2);
  pbx.word_ns = 88; // 352 ns: D = 8, it leaves an edge later
  CHECK(capture_arrays({}, ecb, pbx, {}, three.arrays(), nullptr).peak_frame_fifo == 3);
}

TEST_CASE("no strobes are no frames") {
  Counts nothing;
  CHECK(capture({}) == nothing);
}

TEST_CASE("a strobe that cannot be is named with its place, its value and what is allowed") {
  Strobes s;
  for (std::int64_t i = 0; i < 10'000; ++i) s.add(1000 + i * 1000, 15, 15);
  REQUIRE(capture(s).strobes == 10'000);
  const auto message = [](const Strobes& bad) -> std::string {
    try {
      capture(bad);
    } catch (const BadStrobe& error) {
      return std::to_string(error.index()) + ": " + error.what();
    }
    return "none";
  };
  const auto message_with = [&](auto&& change) {
    Strobes bad = s;
    change(bad);
    return message(bad);
  };
  // 64 strobes are a block: at its end, at the next one's beginning, within.
  for (const std::size_t i : {1u, 63u, 64u, 65u, 4095u, 4096u, 4097u, 9999u}) {
    const std::string at = std::to_string(i);
    const std::string before = std::to_string(i - 1);
    CHECK(message_with([&](Strobes& b) { b.time_ns[i] = b.time_ns[i - 1] - 1; }) ==
          at + ": time_ns[" + at + "] = " + std::to_string(s.time_ns[i - 1] - 1) + ": must not be before time_ns[" +
              before + "] = " + std::to_string(s.time_ns[i - 1]));
    CHECK(message_with([&](Strobes& b) { b.node[i] = 16; }) ==
          at + ": node[" + at + "] = 16: must be 0 to 15, the board has ecb.inputs = 16");
    CHECK(message_with([&](Strobes& b) { b.datum[i] = 16; }) ==
          at + ": datum[" + at + "] = 16: must be 0 to 15, data have port.width_bits = 4");
    CHECK(message_with([&](Strobes& b) { b.time_ns[i] = std::numeric_limits<std::int64_t>::min(); }) ==
          at + ": time_ns[" + at + "] = -9223372036854775808: must be 0 to 4000000000000000");
  }
  CHECK(message_with([&](Strobes& b) { b.time_ns[0] = -1; }) == "0: time_ns[0] = -1: must be 0 to 4000000000000000");
  CHECK(message_with([&](Strobes& b) { b.node[0] = 16; }) ==
        "0: node[0] = 16: must be 0 to 15, the board has ecb.inputs = 16");
  CHECK(message_with([&](Strobes& b) { b.datum[0] = 16; }) ==
        "0: datum[0] = 16: must be 0 to 15, data have port.width_bits = 4");
  CHECK(message_with([&](Strobes& b) { b.time_ns[9999] = StrobeArrays::latest_ns + 1; }) ==
        "9999: time_ns[9999] = 4000000000000001: must be 0 to 4000000000000000");
}

TEST_CASE("many rows that were freed are the next ones, if those are no more") {
  const FrameFormat format(PortParams{}, EcbParams{});
  const auto place_of = [&](std::size_t rows) {
    FrameRows some(format);
    some.reserve(rows);
    *some.row(rows - 1) = std::byte{1};
    some.set_size(rows);
    return some.release();
  };
  constexpr std::size_t many = std::size_t{3} << 19; // with 24 bytes each: 36 MiB
  auto first = place_of(many);
  const std::byte* const place = first.get();
  auto other = place_of(many);
  CHECK(other.get() != place);
  first.reset();
  auto fewer = place_of(many - 1000);
  CHECK(fewer.get() == place);
  CHECK(fewer.get_deleter().size >= 24 * many);
  fewer.reset();
  const auto more = place_of(2 * many);
  CHECK(more.get_deleter().size >= 24 * 2 * many);
}
