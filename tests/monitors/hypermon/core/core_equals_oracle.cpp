// SPDX-License-Identifier: BSD-3-Clause
// The board's closed forms against the contract, clock by clock, on random hardware and adversarial strobes: in one
// go, advanced by random horizons, and as a replay. A failure prints the smallest case that RapidCheck finds.
//
//   HYPERMON_TEST_STROBES  strobes to compare per test case, instead of the volume of a CI run
//   HYPERMON_TEST_SEED     another seed than the fixed one
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/replay.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/coverage.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/core/shrinking_cases.hpp"
#include "tests/rounds.hpp"
#include <iostream>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

Time last_strobe(const Case& c) {
  Time last;
  for (const BurstShape& b : c.bursts) last = std::max(last, b.last());
  return last;
}

/// Mostly some time after the last strobe, and there often when a timestamp wraps; else before it.
Time random_program_end(Random& r, const Case& c) {
  const EcbParams& ecb = c.hardware.ecb;
  const Time last = last_strobe(c);
  if (r.one_in(4)) return Time::from_ps(r.below(last.ps() + 1));
  const Time wrap = Time{ecb.window_ns} * (ecb.timestamp_bits < 16 ? std::int64_t{1} << ecb.timestamp_bits : 8);
  if (r.one_in(2)) return last + Time::from_ps(r.below(20 * wrap.ps()));
  return wrap * (last / wrap + r.between(1, 20)) + Time::from_ps(r.between(-1, 1));
}

/// Times up to the program's end, but at least to the last strobe; some on edges, most at most `step` apart.
std::vector<Time> random_horizons(Random& r, const Case& c, Time step, Time program_end) {
  std::vector<Time> horizons;
  const Time last = std::max(last_strobe(c), program_end);
  for (Time t = 1_ps; t <= last;) {
    horizons.push_back(t);
    if (r.one_in(50)) { // across a silence
      const auto next = std::partition_point(c.bursts.begin(), c.bursts.end(), [=](auto& b) { return b.first <= t; });
      if (next != c.bursts.end()) t = std::max(t, next->first);
    }
    t += Time::from_ps(1 + r.below(step.ps()));
    if (r.one_in(4)) t = Time::from_ps((t.ps() / 50'000 + 1) * 50'000);
    if (horizons.size() >= c.bursts.size() * 2 + 1000) step = step * 2; // seldom more than bursts
  }
  return horizons;
}

/// The board advances by these horizons. Bursts are written as late as allowed, or some time before. The board may lag;
/// an access to a register then performs the pending work. Before a horizon that is later than the program's end, all
/// bursts are written; the end is announced then, or before.
std::string run_in_steps(Random& r, const Case& c, std::span<const Burst> bursts, std::span<const Time> horizons,
                         const oracle::Result& expected, Time program_end, Time lag = {}) {
  const Hardware& h = c.hardware;
  oracle::Result result;
  CaptureBoard board(h.port, h.ecb, h.pbx, h.reader);
  board.on_loss([&](const Loss& loss) { result.losses.push_back(loss); });
  board.may_lag(lag);
  if (r.one_in(2)) board.keep_in_memory(static_cast<std::size_t>(r.pick({2, 5, 40})));
  const bool ahead_of_time = r.one_in(4); // then only the state at the end must agree
  if (ahead_of_time) board.deliver_ahead();
  auto collect = [&] {
    for (const DeliveredFrame& f : board.delivered()) result.frames.push_back(f);
    board.clear_delivered();
  };
  if (r.one_in(2)) board.program_ends(program_end);
  auto next = bursts.begin();
  for (std::size_t i = 0; i < horizons.size(); ++i) {
    if (horizons[i] > program_end) {
      for (; next != bursts.end(); ++next) board.write(*next);
      board.program_ends(program_end);
    }
    const Time ahead = r.one_in(3) ? Time::from_ns(r.below(10'000)) : 0_ps;
    for (; next != bursts.end() && next->first < horizons[i] + ahead; ++next) board.write(*next);
    board.advance(horizons[i]);
    if (!ahead_of_time && !board.delivered().empty() && board.delivered().back().read_end >= horizons[i])
      return "a frame is delivered that is read at the horizon or after it";
    if (r.one_in(2)) collect();
    if (ahead_of_time) continue;
    if (lag > 0_ps) {
      if (!r.one_in(20)) continue;
      board.read_status(horizons[i]);
    }
    const Counts& at = expected.at_checkpoints[i];
    if (const auto d = difference(board.counts(), at); !d.empty())
      return "before " + std::to_string(horizons[i].ps()) + " ps: " + d;
    const std::uint32_t overruns =
        (at.frames_lost > 0 ? 1u : 0u) | (at.node_overruns > 0 ? 2u : 0u) | (at.windows_lost > 0 ? 4u : 0u);
    if ((board.peek(PbxRegister::status) & 7u) != overruns)
      return "before " + std::to_string(horizons[i].ps()) + " ps: overrun bits of the status register";
  }
  for (; next != bursts.end(); ++next) board.write(*next);
  board.program_ends(program_end);
  board.finish();
  collect();
  result.counts = board.counts();
  sort(result.losses);
  return difference(result, expected) + difference_in_capture(result.frames, expected.frames);
}

std::string run_as_replay(const Case& c, std::span<const Burst> bursts, const oracle::Result& expected,
                          Time program_end) {
  const Hardware& h = c.hardware;
  Replay result = replay(h.port, h.ecb, h.pbx, h.reader, bursts, program_end);
  sort(result.losses);
  return difference(result, expected) + difference_in_capture(result.frames, expected.frames);
}

/// Empty, or what differs and how the board was run.
std::string compare(const Case& c, Coverage& coverage) {
  const Hardware& h = c.hardware;
  const Bursts bursts(c);
  Random r(c.seed);
  // Without wraps it makes no difference when the program ends, and bursts are written as late as their times allow.
  const Time end = h.ecb.wrap_frames ? random_program_end(r, c) : last_strobe(c) + 1_ms;
  const auto fine = random_horizons(r, c, r.pick({Time::from_ns(60), Time{h.ecb.window_ns}, 10_us}), end);
  const auto coarse = random_horizons(r, c, r.pick({20_us, 200_us, 5_ms}), end);
  std::vector<Time> all;
  std::merge(fine.begin(), fine.end(), coarse.begin(), coarse.end(), std::back_inserter(all));
  oracle::Result expected = oracle::Board(h.port, h.ecb, h.pbx, h.reader).run(bursts.views(), all, nullptr, end);
  sort(expected.losses);
  if (const auto law = broken_law(expected, bursts.views(), h.port, h.ecb); !law.empty()) return "the law: " + law;
  const auto all_counts = std::move(expected.at_checkpoints);
  const auto at = [&](std::span<const Time> horizons) {
    expected.at_checkpoints.clear();
    for (const Time t : horizons)
      expected.at_checkpoints.push_back(
          all_counts[static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), t) - all.begin())]);
  };

  std::string differs = run_as_replay(c, bursts.views(), expected, end);
  if (!differs.empty()) return "as a replay, " + differs;
  at(fine);
  differs = run_in_steps(r, c, bursts.views(), fine, expected, end);
  if (!differs.empty()) return "by small steps, " + differs;
  at(coarse);
  differs = run_in_steps(r, c, bursts.views(), coarse, expected, end);
  if (!differs.empty()) return "by large steps, " + differs;
  differs = run_in_steps(r, c, bursts.views(), coarse, expected, end, r.pick({1_us, 300_us, 20_ms}));
  if (!differs.empty()) return "by large steps, lagging, " + differs;
  coverage.add(h, expected);
  return {};
}

// Seven families: more than ten million strobes in a CI run.
constexpr std::uint64_t strobes_per_family = 3'000'000;
static_assert(7 * strobes_per_family >= 10'000'000);

/// Runs rounds until enough strobes have been compared.
Coverage compare_family(const Varied& varied, std::uint64_t seed) {
  const std::uint64_t wanted = from_environment("HYPERMON_TEST_STROBES", strobes_per_family);
  Coverage coverage;
  check_in_rounds(
      seed, [&] { return coverage.strobes() >= wanted; }, [&] { return compare(*cases(varied), coverage); });
  REQUIRE(coverage.strobes() >= wanted);
  std::cout << coverage;
  return coverage;
}

/// Without these sightings, the agreement would mean little. Runs with few strobes, as with sanitizers, need not have
/// all.
void require_seen(const Coverage& coverage, std::initializer_list<Sighting> sightings) {
  if (coverage.strobes() < strobes_per_family) return;
  for (const Sighting what : sightings) {
    CAPTURE(oracle::sighting_names[static_cast<std::size_t>(what)]);
    CHECK(coverage.seen(what) >= 5);
  }
  for (const auto& [setting, outcome] : coverage.never_met()) {
    FAIL_CHECK("never met: " << outcome << " with " << setting);
  }
}

constexpr std::initializer_list<Sighting> strobe_patterns{
    Sighting::strobe_on_edge, Sighting::strobe_on_window_boundary, Sighting::strobes_of_one_input_at_once,
    Sighting::strobes_of_several_inputs_at_once, Sighting::silence_skipped};

} // namespace

TEST_CASE("the board agrees with the contract for all windows, inputs and word times") {
  const Coverage seen = compare_family({}, 1'000'000);
  require_seen(seen, strobe_patterns);
  require_seen(seen, {Sighting::newest_frame_lost, Sighting::frame_leaves_as_one_finds_no_room});
}

TEST_CASE("the board agrees with the contract for all depths and builders") {
  const Coverage seen = compare_family({.depths = true}, 2'000'000);
  require_seen(seen, strobe_patterns);
  require_seen(seen, {Sighting::newest_frame_lost, Sighting::newest_window_lost,
                      Sighting::entry_taken_as_one_finds_no_room, Sighting::frame_leaves_as_one_finds_no_room});
}

TEST_CASE("the board agrees with the contract for all policies of full FIFOs") {
  const Coverage seen = compare_family({.depths = true, .policies = true}, 3'000'000);
  require_seen(seen, strobe_patterns);
  require_seen(seen,
               {Sighting::strobe_held, Sighting::oldest_window_lost, Sighting::newest_window_lost_as_none_is_older,
                Sighting::newest_window_lost, Sighting::builder_held, Sighting::oldest_frame_lost,
                Sighting::newest_frame_lost_as_older_ones_are_read, Sighting::newest_frame_lost});
}

TEST_CASE("the board agrees with the contract for all frame formats") {
  const Coverage seen = compare_family({.formats = true}, 4'000'000);
  require_seen(seen, strobe_patterns);
  require_seen(
      seen, {Sighting::empty_entry, Sighting::empty_frame_lost, Sighting::frame_flagged, Sighting::frame_not_flagged});
}

TEST_CASE("the board agrees with the contract for all readers") {
  const Coverage seen =
      compare_family({.depths = true, .policies = true, .readers = true, .accesses = true}, 5'000'000);
  require_seen(seen, strobe_patterns);
  require_seen(seen, {Sighting::reader_stalled, Sighting::count_register_saturated, Sighting::oldest_frame_lost,
                      Sighting::builder_held, Sighting::strobe_held});
}

TEST_CASE("the board agrees with the contract for all parameters together") {
  const Coverage seen =
      compare_family({.depths = true, .policies = true, .formats = true, .readers = true, .accesses = true}, 6'000'000);
  require_seen(seen, strobe_patterns);
  require_seen(seen,
               {Sighting::strobe_held, Sighting::oldest_window_lost, Sighting::newest_window_lost_as_none_is_older,
                Sighting::builder_held, Sighting::oldest_frame_lost, Sighting::newest_frame_lost_as_older_ones_are_read,
                Sighting::empty_entry, Sighting::empty_entry_lost, Sighting::empty_frame_lost, Sighting::frame_flagged,
                Sighting::frame_not_flagged, Sighting::reader_stalled});
}

TEST_CASE("the board agrees with the contract where it captures in bulk, whatever overruns and whoever reads") {
  const Coverage seen = compare_family(
      {.depths = true, .policies = true, .formats = true, .readers = true, .accesses = true, .apart = true}, 7'000'000);
  if (seen.strobes() < strobes_per_family) return;
  for (const Sighting what :
       {Sighting::newest_frame_lost, Sighting::oldest_frame_lost, Sighting::newest_frame_lost_as_older_ones_are_read,
        Sighting::reader_stalled, Sighting::frame_leaves_as_one_finds_no_room, Sighting::count_register_saturated}) {
    CAPTURE(oracle::sighting_names[static_cast<std::size_t>(what)]);
    CHECK(seen.seen(what) >= 5);
  }
}
