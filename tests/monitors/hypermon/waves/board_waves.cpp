// SPDX-License-Identifier: BSD-3-Clause
// Every transition of every signal against the contract, clock by clock, on random hardware and adversarial strobes.
#include "sw/monitors/hypermon/waves/board_waves.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/shrinking_cases.hpp"
#include "tests/monitors/hypermon/waves/expected_waves.hpp"
#include "tests/rounds.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

/// A window of time with activity.
std::pair<Time, Time> random_window(Random& r, const Case& c) {
  if (c.bursts.empty()) return {0_ps, 10_us};
  const BurstShape& b = c.bursts[static_cast<std::size_t>(r.below(std::ssize(c.bursts)))];
  Time from = r.one_in(4) ? 0_ps : std::max(0_ps, b.first + Time::from_ps(r.between(-20'000'000, 100'000'000)));
  if (r.one_in(3)) from = edge_at_or_before(from);
  return {from, from + Time::from_ps(r.pick({1, 50'000, 3'000'000, 100'000'000, 1'000'000'000}))};
}

struct Seen {
  std::uint64_t transitions = 0;
  std::map<std::string, std::uint64_t> by_name; ///< by the name after the last dot
};

std::string text(const ExpectedWaves::Transitions& all) {
  std::string to;
  for (const auto& [ps, value] : all) to += " " + std::to_string(ps) + ":" + std::to_string(value);
  return to.substr(0, 2000);
}

/// The difference; empty if there is none.
std::string compare(const Case& c, Seen& seen) {
  const Hardware& h = c.hardware;
  const Bursts bursts(c);
  Random r(c.seed);
  const auto [from, to] = random_window(r, c);

  ExpectedWaves expected(h.port, h.ecb, h.pbx);
  expected.finish(oracle::Board(h.port, h.ecb, h.pbx, h.reader).run(bursts.views(), {}, &expected).losses);

  const BoardShape shape{"board0", static_cast<std::size_t>(h.ecb.inputs),
                         static_cast<std::uint32_t>(h.port.width_bits), h.ecb, h.pbx};
  const std::vector<bool> all(BoardSignals(shape).all().size(), true);
  BoardWaves waves(shape, all, from, to);
  CaptureBoard board(h.port, h.ecb, h.pbx, h.reader);
  bool attached = false;
  board.on_loss([&](const Loss& loss) {
    if (attached) waves.lost(loss);
  });
  auto next = bursts.views().begin();
  const auto write_before = [&](Time horizon) {
    for (; next != bursts.views().end() && next->first < horizon; ++next) board.write(*next);
  };
  const Time early = r.one_in(3) ? std::max(0_ps, from - Time::from_ns(r.below(50'000))) : from;
  // Whole rows are written before they are strobed; with timestamps that wrap, silence must not end with the horizon.
  const Time attach_at = h.ecb.wrap_frames && (bursts.views().empty() || early > bursts.views().back().first)
                             ? (bursts.views().empty() ? 0_ps : bursts.views().back().first)
                             : early;
  write_before(attach_at);
  board.advance(attach_at);
  waves.begin(board);
  board.attach(&waves);
  attached = true;
  std::vector<Change> changes;
  for (Time t = attach_at; t < to && next != bursts.views().end();) {
    t += Time::from_ns(1 + r.below(30'000));
    if (next->first >= t + 200_us) t = next->first;
    write_before(t);
    if (h.ecb.wrap_frames && next == bursts.views().end()) break;
    board.advance(t);
    waves.advance(t);
    for (const Change& change : waves.changes()) {
      if (change.time >= t) return "a change at or after the horizon";
      changes.push_back(change);
    }
    waves.changes().clear();
  }
  write_before(Time::never());
  board.finish();
  waves.advance(Time::never());
  changes.insert(changes.end(), waves.changes().begin(), waves.changes().end());

  std::vector<ExpectedWaves::Transitions> found(all.size());
  std::vector<bool> unknown(all.size());
  Time last;
  for (const Change& change : changes) {
    if (change.time < std::max(last, from) || change.time >= to) return "changes out of order or of the window";
    last = change.time;
    if (change.known)
      found[change.signal].emplace_back(change.time.ps(), change.value);
    else
      unknown[change.signal] = true;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Signal& signal = waves.signals().all()[i];
    auto contract = expected.transitions(signal, from.ps(), to.ps());
    // The lines' values before the waves began are unknown, but the contract gives them.
    if (unknown[i] && !contract.empty() && contract[0].first == from.ps()) contract.erase(contract.begin());
    if (unknown[i] && !signal.path.ends_with(".data") && !signal.path.ends_with("pbx.word"))
      return signal.path + " is unknown";
    // A first datum may be the one that was there before.
    if (unknown[i] && contract.size() + 1 == found[i].size()) found[i].erase(found[i].begin());
    if (found[i] != contract)
      return signal.path + " from " + std::to_string(from.ps()) + " to " + std::to_string(to.ps()) +
             " ps\n  contract:" + text(contract) + "\n  waves:   " + text(found[i]) + "\n";
    seen.transitions += found[i].size();
    seen.by_name[signal.path.substr(signal.path.rfind('.') + 1)] += found[i].size();
  }
  return {};
}

Seen compare_family(const Varied& varied, std::uint64_t seed) {
  const std::uint64_t wanted = from_environment("HYPERMON_TEST_STROBES", 1'000'000);
  Seen seen;
  check_in_rounds(
      seed, [&] { return seen.transitions >= wanted; }, [&] { return compare(*cases(varied), seen); });
  return seen;
}

} // namespace

TEST_CASE("every transition is where the contract has it, for all windows, inputs and word times") {
  compare_family({}, 1'000);
}

TEST_CASE("every transition is where the contract has it, for all depths, policies, formats and readers") {
  const Seen seen = compare_family({.depths = true, .policies = true, .formats = true, .readers = true}, 2'000);
  if (seen.transitions < 1'000'000) return; // few, as with sanitizers, need not meet everything
  for (const char* name : {"strobe", "aliasing", "node_overrun", "window_lost", "frame_lost", "oldest_lost", "look"}) {
    CAPTURE(name);
    CHECK(seen.by_name.at(name) >= 5);
  }
}
