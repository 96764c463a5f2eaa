// SPDX-License-Identifier: BSD-3-Clause
// Spec sec. 5: the event regeneration board, against a model that steps through time by nanoseconds and sees only the
// levels of lines.
#include "hw/hypermon/core/faults.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include <deque>
#include <map>
#include <set>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

constexpr std::int64_t write_ns = 375;

// SplitMix64 over a seed, a purpose, a node and a line: the shares of the contract.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}
std::int64_t share(const ErbParams& erb, std::uint64_t purpose, std::uint64_t node, std::uint64_t line,
                   std::int64_t most) {
  const std::uint64_t of_node = scramble(scramble(static_cast<std::uint64_t>(erb.seed)) ^ (purpose << 32 | node));
  return static_cast<std::int64_t>(scramble(of_node ^ line) % (static_cast<std::uint64_t>(most) + 1));
}

struct Regenerated {
  std::int64_t at_board_ns;
  std::uint32_t datum;
  bool operator==(const Regenerated&) const = default;
};

/// A line that delays what is put on it.
class Wire {
public:
  explicit Wire(std::int64_t delay) : delay_(delay) {}
  void put(std::int64_t now, bool level) { coming_.emplace_back(now + delay_, level); }
  void step(std::int64_t now) {
    while (!coming_.empty() && coming_.front().first <= now) {
      before_ = level;
      level = coming_.front().second;
      arrived_ = now;
      coming_.pop_front();
    }
  }
  /// The level that a register with this setup time reads: what arrived too late is not there yet.
  bool sampled(std::int64_t now, std::int64_t setup) const { return arrived_ <= now - setup ? level : before_; }

  bool level = false;

private:
  std::int64_t delay_;
  bool before_ = false;
  std::int64_t arrived_ = -1'000'000; // time of the last change, even to the same level
  std::deque<std::pair<std::int64_t, bool>> coming_;
};

/// One node's lines and its part of the ERB.
std::vector<Regenerated> step_through(const ErbParams& erb, std::uint64_t node, std::size_t width, std::int64_t late,
                                      const std::map<std::int64_t, std::uint32_t>& strobes) {
  const std::int64_t delay = erb.propagation_ns.number;
  Wire strobe(delay + share(erb, 5, node, 0, erb.skew_ns.number));
  std::vector<Wire> data;
  for (std::size_t bit = 0; bit < width; ++bit)
    data.emplace_back(delay + late + share(erb, 5, node, bit + 1, erb.skew_ns.number));
  const std::int64_t narrower = share(erb, 6, node, 0, erb.narrowing_ns.number);
  std::vector<Regenerated> out;
  std::int64_t fell = -1'000'000;
  std::int64_t pulse_left = 0;
  const std::int64_t end = strobes.rbegin()->first + 10'000;
  strobe.level = true;
  for (std::int64_t now = 0; now < end; ++now) {
    if (const auto first_write = strobes.find(now + write_ns); first_write != strobes.end()) {
      strobe.put(now, false);
      for (std::size_t bit = 0; bit < width; ++bit) data[bit].put(now, (first_write->second >> bit & 1) != 0);
    }
    if (strobes.contains(now)) strobe.put(now, true);
    if (pulse_left > 0) --pulse_left;
    const bool was_high = strobe.level;
    strobe.step(now);
    for (Wire& wire : data) wire.step(now);
    if (was_high && !strobe.level) fell = now;
    if (was_high || !strobe.level) continue; // no rising edge
    if (now - fell - narrower < erb.min_pulse_ns.number) continue;
    if (pulse_left > 0) continue;
    pulse_left = erb.pulse_ns.number;
    std::uint32_t datum = 0;
    for (std::size_t bit = 0; bit < width; ++bit)
      if (data[bit].sampled(now, erb.setup_ns.number)) datum |= std::uint32_t{1} << bit;
    out.push_back({now, datum});
  }
  return out;
}

ErbParams random_erb(Random& r) {
  ErbParams erb;
  erb.propagation_ns = r.pick({0, 130});
  erb.skew_ns = r.pick({0, 90, 375, r.between(0, 375)});
  erb.setup_ns = r.pick({0, 120, 375, r.between(0, 375)});
  erb.narrowing_ns = r.pick({0, 100, 375});
  erb.min_pulse_ns = r.pick({0, 0, 100, 375, r.between(0, 375)});
  erb.pulse_ns = r.pick({0, 0, 2000, 2600, 9000});
  erb.seed = r.below(1000);
  return erb;
}

} // namespace

TEST_CASE("the ERB regenerates strobes and samples data like a model that steps through the levels of its lines") {
  Random r(19);
  std::map<FaultKind, std::size_t> seen;
  for (int run = 0; run < 400; ++run) {
    const ErbParams erb = random_erb(r);
    const std::int64_t width = r.pick({4, 8, 16, 32});
    const auto node = static_cast<std::uint32_t>(r.below(40));
    FaultParams faults;
    faults.skew_ns = r.pick({0, 0, 200, 500});
    faults.skew_nodes = 128;
    CAPTURE(run, erb.skew_ns.number, erb.setup_ns.number, erb.min_pulse_ns.number, erb.narrowing_ns.number,
            erb.pulse_ns.number, erb.seed, width, node, faults.skew_ns.number);
    StrobeFaults lines(faults, node, 1, width, erb);
    std::vector<Fault> reported;
    lines.on_fault([&](const Fault& fault) { reported.push_back(fault); });
    const Time delay = ErbLine(erb, node, static_cast<std::size_t>(width)).strobe_delay();

    std::map<std::int64_t, std::uint32_t> strobes;
    std::vector<std::uint32_t> written;
    std::vector<Regenerated> passed;
    const std::size_t bytes = bytes_per_datum(width);
    std::int64_t at = 1000;
    for (int burst = 0; burst < 4; ++burst) {
      const std::int64_t pitch = r.pick({2000, 2600, r.between(2000, 4000)}); // the latest bit settles before the next
      std::vector<std::uint8_t> data(static_cast<std::size_t>(r.between(1, 6)) * bytes);
      for (auto& byte : data) byte = static_cast<std::uint8_t>(r.below(256));
      for (std::size_t j = 0; j * bytes < data.size(); ++j) {
        std::uint32_t datum = 0;
        for (std::size_t b = 0; b < bytes; ++b) datum |= std::uint32_t{data[j * bytes + b]} << (8 * b);
        written.push_back(datum & mask_of_datum(width));
        strobes[at + pitch * static_cast<std::int64_t>(j)] = written.back();
      }
      for (const Burst& b : lines.pass({0, Time::from_ns(at), Time::from_ns(pitch), data}))
        for (std::size_t j = 0; j * bytes < b.data.size(); ++j) {
          std::uint32_t datum = 0;
          for (std::size_t k = 0; k < bytes; ++k) datum |= std::uint32_t{b.data[j * bytes + k]} << (8 * k);
          const Time time = b.first + b.spacing * static_cast<std::int64_t>(j) + delay;
          passed.push_back({time.ps() / 1000, datum & mask_of_datum(width)});
        }
      at = strobes.rbegin()->first + r.between(2000, 9000);
    }
    CHECK(passed == step_through(erb, node, static_cast<std::size_t>(width), faults.skew_ns.number, strobes));

    // Each lost or wrong datum has one report, and no other datum has any.
    std::size_t lost = 0;
    for (const Fault& fault : reported) {
      ++seen[fault.kind];
      if (is_loss(fault.kind)) ++lost;
    }
    CHECK(passed.size() + lost == written.size());
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < passed.size(); ++n) wrong += passed[n].datum != written[lines.written(0, n)] ? 1 : 0;
    CHECK(reported.size() == lost + wrong);
    CHECK((StrobeFaults::any(faults, erb) || reported.empty()));
  }
  for (const FaultKind kind :
       {FaultKind::short_pulse, FaultKind::overlapping_pulse, FaultKind::unsettled_data, FaultKind::skew})
    CHECK(seen[kind] > 100);
}

TEST_CASE("a strobe at the end of the regenerated pulse is a strobe, one before it is lost and does not prolong it") {
  ErbParams erb;
  erb.pulse_ns = 1000;
  StrobeFaults lines({}, 0, 1, 4, erb);
  std::vector<Fault> reported;
  lines.on_fault([&](const Fault& fault) { reported.push_back(fault); });
  const std::uint8_t datum[] = {5};
  std::vector<bool> passed;
  for (const Time t : {1_us, 2_us - 1_ps, 2_us, 3_us}) passed.push_back(!lines.pass({0, t, 0_ps, datum}).empty());
  CHECK(passed == std::vector<bool>{true, false, true, true});
  CHECK(reported == std::vector<Fault>{{0, 1, FaultKind::overlapping_pulse, 2_us - 1_ps}});
}

TEST_CASE("a node's lines keep their delays on whatever board they are") {
  ErbParams erb;
  erb.skew_ns = 375;
  erb.setup_ns = 375;
  std::set<Time> delays;
  for (std::uint64_t node = 0; node < 50; ++node) {
    const ErbLine narrow(erb, node, 4);
    const ErbLine wide(erb, node, 32);
    CHECK(narrow.strobe_delay() == wide.strobe_delay());
    CHECK(narrow.strobe_delay() <= 375_ns);
    CHECK(narrow.unsettled(0_ps) == (wide.unsettled(0_ps) & 0xF));
    delays.insert(narrow.strobe_delay());
  }
  CHECK(delays.size() > 30);
  CHECK(ErbLine({}, 3, 32).unsettled(375_ns) == 0);
  CHECK(ErbLine({}, 3, 32).unsettled(375_ns + 1_ps) == ~std::uint32_t{0});
}
