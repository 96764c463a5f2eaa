// SPDX-License-Identifier: BSD-3-Clause
// The plain funnel: its rules by hand, and its closed forms against the contract clock by clock on random hardware and
// adversarial strobes, as core_equals_oracle.cpp does it for the board.
#include "hw/hypermon/core/funnel.hpp"
#include "hw/hypermon/core/funnel_params.hpp"
#include "hw/hypermon/core/params.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/funnel_oracle.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include "tests/rounds.hpp"
#include <tuple>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct FunnelCase {
  FunnelParams funnel;
  Case shape; ///< bursts, port, bus and reader
};

FunnelCase random_funnel_case(Random& r) {
  FunnelCase c;
  c.shape = random_case(r, {.depths = true, .formats = true, .readers = true});
  Hardware& h = c.shape.hardware;
  FunnelParams& f = c.funnel;
  f.sources = h.ecb.inputs; // the stream has generated bursts for this many
  f.source_fifo_entries = r.pick({1, 2, 3, 64});
  f.source_full = r.pick({WhenFull::drop_newest, WhenFull::stall});
  f.arbiter = r.pick({Arbitration::round_robin, Arbitration::priority});
  f.arbiter_cycles = r.pick({1, 1, 2, 3, 8, 30});
  f.fifo_words = r.pick({1, 2, 3, 16, 1024, 6000});
  f.fifo_full = r.pick({WhenFull::drop_newest, WhenFull::drop_oldest, WhenFull::stall});
  f.timestamp_ns = r.pick({50, 200, 800, 1'000'000});
  f.timestamp_bits = r.pick({1, 8, 31, 32, 33, 64});
  f.id_bits = 5;
  f.packed = r.one_in(2);
  return c;
}

std::ostream& operator<<(std::ostream& to, const FunnelCase& c) {
  const auto show = [&](const auto& section, const char* name) {
    for_each_field(section, name, [&](const std::string& path, const auto&, const auto& value) {
      to << "  " << path << " = " << shown(value) << "\n";
    });
  };
  show(c.funnel, "funnel");
  show(c.shape.hardware.port, "port");
  show(c.shape.hardware.pbx, "pbx");
  show(c.shape.hardware.reader, "reader");
  for (const BurstShape& b : c.shape.bursts)
    to << "  input " << b.input << " at " << b.first.ps() << " every " << b.spacing.ps() << ": " << b.data << " data\n";
  return to << "seed of data and horizons: " << c.shape.seed << "\n";
}

/// Half of the bursts; the prototype's reader.
std::vector<FunnelCase> simpler(const FunnelCase& c) {
  std::vector<FunnelCase> all;
  const auto n = std::ssize(c.shape.bursts);
  for (std::ptrdiff_t size = n / 2; size > 0; size /= 2)
    for (std::ptrdiff_t at = 0; at < n; at += size) {
      all.push_back(c);
      auto& bursts = all.back().shape.bursts;
      bursts.erase(bursts.begin() + at, bursts.begin() + std::min(at + size, n));
    }
  if (c.shape.hardware.reader.kind != ReaderKind::ideal) {
    all.push_back(c);
    all.back().shape.hardware.reader = {};
  }
  return all;
}

rc::Gen<FunnelCase> funnel_cases() {
  return [](const rc::Random& random, int) {
    rc::Random seed = random;
    Random r(seed.next());
    return rc::shrinkable::shrinkRecur(random_funnel_case(r),
                                       [](const FunnelCase& c) { return rc::seq::fromContainer(simpler(c)); });
  };
}

void sort(std::vector<Loss>& losses) {
  std::sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) {
    return std::tuple(a.input, a.sequence) < std::tuple(b.input, b.sequence);
  });
}

std::string text(const FunnelCounts& c) {
  std::ostringstream to;
  to << "strobes " << c.strobes << " source_overruns " << c.source_overruns << " in_sources " << c.in_sources
     << " passed " << c.passed << " lost " << c.lost << " drained " << c.drained << " in_fifo " << c.in_fifo << " peak "
     << c.peak_fifo << " end " << c.end.ps();
  return to.str();
}

/// Violated invariant of a result at its end; empty if all hold. `losses` are sorted.
std::string broken_law(const std::vector<DeliveredWord>& words, const std::vector<Loss>& losses, const FunnelCounts& c,
                       std::span<const Burst> bursts, std::int64_t width) {
  if (c.strobes != c.source_overruns + c.passed + c.in_sources) return "strobes = overruns + passed + in the sources";
  if (c.passed != c.lost + c.drained + c.in_fifo) return "passed = lost + drained + in the FIFO";
  if (c.in_sources + c.in_fifo != 0) return "nothing is left inside";
  const std::size_t bytes = static_cast<std::size_t>(width + 7) / 8;
  std::array<std::vector<std::uint32_t>, 32> expected;
  for (const Burst& b : bursts)
    for (std::size_t j = 0; j < b.data.size(); j += bytes) {
      std::uint32_t datum = 0;
      for (std::size_t k = bytes; k-- > 0;) datum = datum << 8 | b.data[j + k];
      expected[b.input].push_back(width == 4 ? datum & 0xF : datum);
    }
  for (auto loss = losses.rbegin(); loss != losses.rend(); ++loss) {
    auto& of_source = expected[loss->input];
    if (loss->sequence >= of_source.size()) return "a strobe is lost once";
    of_source.erase(of_source.begin() + static_cast<std::ptrdiff_t>(loss->sequence));
  }
  std::array<std::size_t, 32> next{};
  for (const DeliveredWord& d : words) {
    const auto& of_source = expected[d.word.source];
    std::size_t& at = next[d.word.source];
    if (at >= of_source.size() || of_source[at++] != d.word.datum) return "delivered in order, less what was lost";
  }
  for (std::size_t i = 0; i < 32; ++i)
    if (next[i] != expected[i].size()) return "what is not lost is delivered";
  return {};
}

struct Tally {
  std::uint64_t strobes = 0, overruns = 0, lost = 0, oldest_lost = 0, held = 0, arbiter_held = 0, contended = 0;
};

std::string compare(const FunnelCase& c, Tally& tally) {
  const Hardware& h = c.shape.hardware;
  const Bursts bursts(c.shape);
  Random r(c.shape.seed);
  std::vector<Time> horizons;
  Time last;
  for (const BurstShape& b : c.shape.bursts) last = std::max(last, b.last());
  const std::int64_t step = r.pick({60'000, 2'000'000, 100'000'000, last.ps() / 3 + 1});
  for (Time t = 1_ps; t <= last && horizons.size() < 500; t += Time::from_ps(1 + r.below(step))) {
    if (r.one_in(4)) t = Time::from_ps((t.ps() / 50'000 + 1) * 50'000);
    horizons.push_back(t);
  }
  auto expected = oracle::NaiveFunnel(h.port, c.funnel, h.pbx, h.reader).run(bursts.views(), horizons);
  sort(expected.losses);
  const auto& x = expected;
  if (const auto law = broken_law(x.words, x.losses, x.counts, bursts.views(), h.port.width_bits); !law.empty())
    return "the law: " + law;

  Funnel funnel(h.port, c.funnel, h.pbx, h.reader);
  std::vector<Loss> losses;
  std::vector<DeliveredWord> words;
  funnel.on_loss([&](const Loss& loss) { losses.push_back(loss); });
  auto collect = [&] {
    words.insert(words.end(), funnel.delivered().begin(), funnel.delivered().end());
    funnel.clear_delivered();
  };
  auto next = bursts.views().begin();
  for (std::size_t i = 0; i < horizons.size(); ++i) {
    const Time ahead = r.one_in(3) ? Time::from_ns(r.below(10'000)) : 0_ps;
    for (; next != bursts.views().end() && next->first < horizons[i] + ahead; ++next) funnel.write(*next);
    funnel.advance(horizons[i]);
    if (funnel.counts() != x.at_checkpoints[i])
      return "counts before " + std::to_string(horizons[i].ps()) + " ps\n  contract: " + text(x.at_checkpoints[i]) +
             "\n  funnel:   " + text(funnel.counts());
    if (r.one_in(2)) collect();
  }
  for (; next != bursts.views().end(); ++next) funnel.write(*next);
  funnel.finish();
  collect();
  sort(losses);
  if (words != x.words) return "the words differ";
  if (losses != x.losses) return "the losses differ";
  if (funnel.counts() != x.counts)
    return "counts\n  contract: " + text(x.counts) + "\n  funnel:   " + text(funnel.counts());
  tally.strobes += x.counts.strobes;
  tally.overruns += x.counts.source_overruns;
  tally.lost += x.counts.lost;
  tally.oldest_lost += x.oldest_lost;
  tally.held += x.held;
  tally.arbiter_held += x.arbiter_held;
  tally.contended += x.contended;
  return {};
}

/// A funnel that is strobed by hand.
struct OneFunnel {
  Funnel funnel;
  std::vector<Loss> losses;
  explicit OneFunnel(const FunnelParams& params, const PbxParams& pbx = {}) : funnel(PortParams{}, params, pbx, {}) {
    funnel.on_loss([this](const Loss& loss) { losses.push_back(loss); });
  }
  void strobes(std::uint32_t source, Time first, Time spacing, std::vector<std::uint8_t> data) {
    funnel.write({source, first, spacing, data});
  }
  std::vector<DeliveredWord> finish() {
    funnel.finish();
    return {funnel.delivered().begin(), funnel.delivered().end()};
  }
};

std::vector<std::uint32_t> sources_of(const std::vector<DeliveredWord>& words) {
  std::vector<std::uint32_t> all;
  for (const DeliveredWord& d : words) all.push_back(d.word.source);
  return all;
}

} // namespace

TEST_CASE("the funnel agrees with its contract for all parameters") {
  constexpr std::uint64_t wanted = 1'000'000;
  Tally seen;
  check_in_rounds(
      7'000'000, [&] { return seen.strobes >= wanted; }, [&] { return compare(*funnel_cases(), seen); });
  CHECK(seen.overruns > 0);
  CHECK(seen.lost > seen.oldest_lost);
  CHECK(seen.oldest_lost > 0);
  CHECK(seen.held > 0);
  CHECK(seen.arbiter_held > 0);
  CHECK(seen.contended > 0);
}

TEST_CASE("a lone datum passes with its source and the number of its period") {
  FunnelParams params;
  params.arbiter_cycles = 3;
  OneFunnel f(params);
  const Time strobe = 810_ns;
  f.strobes(5, strobe, 0_ps, {9});
  const auto words = f.finish();
  REQUIRE(words.size() == 1);
  CHECK(words[0].word == FunnelWord{5, 9, 1}); // 810 ns is in the second period of 800 ns
  // Taken at the next edge, in the wide FIFO 3 edges later, read from the edge after that on: 4 + 4 + 32 bits, two
  // words.
  const Time pushed = edge_at_or_after(strobe) + cycles(3);
  CHECK(words[0].read_end == pushed + cycles(1) + 2 * 800_ns);
}

TEST_CASE("a packed bus moves 40 bits in 40/32 of a word's time") {
  FunnelParams params;
  CHECK(OneFunnel(params).funnel.word_bits() == 4 + 4 + 32);
  CHECK(OneFunnel(params).funnel.word_time() == 2 * 800_ns);
  params.packed = true;
  CHECK(OneFunnel(params).funnel.word_time() == 1_us); // 800 ns * 40 / 32
}

TEST_CASE("sources that always wait are served in turn") {
  FunnelParams params;
  params.sources = 4;
  OneFunnel f(params);
  for (const std::uint32_t source : {0u, 2u, 3u}) f.strobes(source, 1_ns, 0_ps, {1, 2, 3, 4});
  CHECK(sources_of(f.finish()) == std::vector<std::uint32_t>{0, 2, 3, 0, 2, 3, 0, 2, 3, 0, 2, 3});
}

TEST_CASE("by priority, a source waits while one of a lower number has words") {
  FunnelParams params;
  params.sources = 4;
  params.arbiter = Arbitration::priority;
  OneFunnel f(params);
  for (const std::uint32_t source : {3u, 2u, 0u}) f.strobes(source, 1_ns, 0_ps, {1, 2, 3});
  CHECK(sources_of(f.finish()) == std::vector<std::uint32_t>{0, 0, 0, 2, 2, 2, 3, 3, 3});
}

TEST_CASE("under overload, round robin divides what passes among the sources, and priority does not") {
  for (const auto arbiter : {Arbitration::round_robin, Arbitration::priority}) {
    CAPTURE(word(arbiter));
    FunnelParams params;
    params.sources = 3;
    params.source_fifo_entries = 2;
    params.arbiter = arbiter;
    params.arbiter_cycles = 8;
    OneFunnel f(params);
    const std::size_t data = 3000;
    for (std::uint32_t source = 0; source < 3; ++source)
      f.strobes(source, 1_ns, cycles(8), std::vector<std::uint8_t>(data)); // each alone would keep the arbiter busy
    f.finish();
    std::array<std::size_t, 3> lost{};
    for (const Loss& loss : f.losses)
      if (loss.cause == LossCause::node_overrun) ++lost[loss.input];
    const bool fair = params.arbiter == Arbitration::round_robin;
    // The words in the FIFOs at the end pass as well: this is the only difference from a third each.
    const auto margin = static_cast<std::size_t>(params.source_fifo_entries + 1);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t passed = data - lost[i];
      const std::size_t share = fair ? data / 3 : i == 0 ? data : 0;
      CAPTURE(i, passed, share);
      CHECK(passed + margin >= share);
      CHECK(passed <= share + margin);
    }
  }
}

TEST_CASE("id_bits must number the sources") {
  FunnelParams params;
  params.sources = 17;
  CHECK_THROWS_AS(Funnel(PortParams{}, params, PbxParams{}, ReaderParams{}), std::invalid_argument);
  params.id_bits = 5;
  CHECK_NOTHROW(Funnel(PortParams{}, params, PbxParams{}, ReaderParams{}));
}
