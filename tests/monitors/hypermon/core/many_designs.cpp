// SPDX-License-Identifier: BSD-3-Clause
// The kernels that replay many designs at once, against whole boards, on random hardware and adversarial strobes.
//
//   HYPERMON_TEST_STROBES, HYPERMON_TEST_SEED: as in core_equals_oracle.cpp
#include "hw/hypermon/core/count_replay.hpp"
#include "hw/hypermon/core/frontier.hpp"
#include "hw/hypermon/core/level_time_line.hpp"
#include "hw/hypermon/core/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/core/shrinking_cases.hpp"
#include "tests/rounds.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

/// A case's bursts as recorded: some are other nodes', times are at the ports.
class Recorded {
public:
  static constexpr std::uint32_t first_node = 3;
  Recorded(const Case& c) : bursts_(c) {
    offsets_.push_back(0);
    for (const Burst& b : bursts_.views()) {
      add(b, static_cast<std::uint16_t>(first_node + b.input));
      if (b.input % 3 == 0)
        add(b, b.input % 2 == 0 ? 0 : static_cast<std::uint16_t>(first_node + c.hardware.ecb.inputs));
    }
  }
  std::span<const Burst> bursts() const { return bursts_.views(); }

  /// Calls f(rows) for batches of `size` rows.
  template <class F> void each_batch(std::size_t size, F&& f) const {
    for (std::size_t from = 0; from < node_.size(); from += size) {
      const std::size_t n = std::min(size, node_.size() - from);
      f(BurstRows{std::span(node_).subspan(from, n), std::span(first_).subspan(from, n),
                  std::span(spacing_).subspan(from, n), std::span(offsets_).subspan(from, n + 1), data_});
    }
  }
  std::size_t size() const { return node_.size(); }

private:
  void add(const Burst& b, std::uint16_t node) {
    node_.push_back(node);
    first_.push_back(b.first.ps());
    spacing_.push_back(b.spacing.ps());
    data_.insert(data_.end(), b.data.begin(), b.data.end());
    offsets_.push_back(static_cast<std::int32_t>(data_.size()));
  }
  Bursts bursts_;
  std::vector<std::uint16_t> node_;
  std::vector<std::int64_t> first_, spacing_;
  std::vector<std::int32_t> offsets_;
  std::vector<std::uint8_t> data_;
};

BoardDesign design_of(const Hardware& h, Random& r) {
  const BoardLines lines{Recorded::first_node, static_cast<std::uint32_t>(h.ecb.inputs),
                         Time::from_ns(r.pick({0, 0, 1, 49, 50, 1234}))};
  return {h.port, h.ecb, h.pbx, h.reader, lines, Time::from_ns(r.pick({0, 0, 50, 799, 100'030}))};
}

/// The reference: one board.
BoardCounts on_a_board(const BoardDesign& d, std::span<const Burst> bursts, Time program_end = {}) {
  CaptureBoard board(d.port, d.ecb, d.pbx, d.reader);
  board.reset_earlier_by(d.reset_earlier_by);
  BoardCounts result{};
  board.on_loss([&](const Loss& loss) { ++result.lost[static_cast<std::size_t>(loss.cause)]; });
  for (Burst b : bursts) {
    b.first += d.lines.propagation;
    board.write(b);
  }
  board.program_ends(program_end);
  board.finish();
  result.counts = board.counts();
  return result;
}

/// The case's board, and others that differ in parameters that are cheap to vary, or before the frame FIFO.
std::vector<BoardDesign> designs_of(const Case& c, Random& r) {
  std::vector<BoardDesign> designs{design_of(c.hardware, r)};
  for (int i = 0; i < 12; ++i) {
    BoardDesign d = designs.front();
    d.ecb.frame_fifo_frames = r.pick({1, 2, 3, 5, 40, 700, 1 << 24});
    d.pbx.word_ns = r.pick({1, 50, 222, 800, 1 + r.below(3000), 40'000, 1'000'000});
    if (r.one_in(2)) { // designs that a shared stream of frames can serve
      d.ecb.node_fifo_full = WhenFull::drop_newest;
      d.ecb.frame_fifo_full = r.pick({WhenFull::drop_newest, WhenFull::drop_newest, WhenFull::drop_oldest});
      d.ecb.timestamp_policy = TimestampPolicy::every;
      d.reader = {};
    }
    if (r.one_in(4)) d.ecb.builder_cycles = r.pick({1, 2, 8, 17});
    if (r.one_in(4)) d.reader = {ReaderKind::group, r.pick({0, 1600}), r.pick({0, 700}), r.pick({0, 90'000}), 5};
    designs.push_back(d);
  }
  std::erase_if(designs, [](const BoardDesign& d) { return !d.drains_apart(); });
  return designs;
}

std::string text(const BoardCounts& c) {
  std::string lost;
  for (const std::uint64_t n : c.lost) lost += " " + std::to_string(n);
  return testing::text(c.counts) + ", data lost by cause" + lost;
}

struct DesignTally {
  std::uint64_t strobes = 0;
  std::array<std::uint64_t, 2> by{};      // designs, by CountedBy
  std::array<std::uint64_t, 2> by_loss{}; // number of designs that lose frames
  std::array<std::uint64_t, loss_causes> lost{};
};

std::string compare_counts(const Case& c, DesignTally& tally) {
  Random r(c.seed);
  const Recorded recorded(c);
  const std::vector<BoardDesign> designs = designs_of(c, r);
  const Time last = c.bursts.empty() ? 0_ps : c.bursts.back().first;
  const Time end = r.one_in(3) ? Time::from_ps(r.below(last.ps() + 1)) : last + Time::from_ns(r.below(200'000));
  CountReplay replay(designs);
  replay.program_ends(end);
  recorded.each_batch(r.pick({std::size_t{1}, std::size_t{7}, recorded.size()}),
                      [&](const BurstRows& rows) { replay.add(rows); });
  const std::vector<BoardCounts> found = replay.finish();
  for (std::size_t i = 0; i < designs.size(); ++i) {
    const BoardCounts expected = on_a_board(designs[i], recorded.bursts(), end);
    const auto by = static_cast<std::size_t>(found[i].by);
    if (found[i].counts != expected.counts || found[i].lost != expected.lost)
      return "design " + std::to_string(i) + " (" + std::to_string(by) + "): depth " +
             std::to_string(designs[i].ecb.frame_fifo_frames) + ", word " +
             std::to_string(designs[i].pbx.word_ns.number) + " ns, builder " +
             std::to_string(designs[i].ecb.builder_cycles) + "\n  board:  " + text(expected) +
             "\n  kernel: " + text(found[i]) + "\n";
    ++tally.by[by];
    if (expected.counts.frames_lost > 0) ++tally.by_loss[by];
    for (std::size_t cause = 0; cause < loss_causes; ++cause) tally.lost[cause] += expected.lost[cause];
  }
  tally.strobes += c.strobes();
  return {};
}

DesignTally compare_family(const Varied& varied, std::uint64_t seed, std::uint64_t strobes) {
  strobes = from_environment("HYPERMON_TEST_STROBES", strobes);
  DesignTally tally;
  check_in_rounds(
      seed, [&] { return tally.strobes >= strobes; }, [&] { return compare_counts(*cases(varied), tally); });
  return tally;
}

} // namespace

TEST_CASE("counting many designs together gives the same counts as one board for each design") {
  const DesignTally seen = compare_family({.depths = true}, 11'000'000, 300'000);
  if (seen.strobes < 300'000) return; // as with sanitizers
  CHECK(seen.by_loss[static_cast<std::size_t>(CountedBy::backlog)] > 100);
  CHECK(seen.by_loss[static_cast<std::size_t>(CountedBy::frame_drain)] > 100);
  for (const LossCause cause :
       {LossCause::aliasing, LossCause::node_overrun, LossCause::window_lost, LossCause::frame_lost})
    CHECK(seen.lost[static_cast<std::size_t>(cause)] > 0);
}

TEST_CASE("the counts of many designs are those of a board each, whatever the policies, frame formats and readers") {
  const DesignTally seen = compare_family(
      {.depths = true, .policies = true, .formats = true, .readers = true, .accesses = true}, 12'000'000, 300'000);
  if (seen.strobes < 300'000) return;
  for (const std::uint64_t designs : seen.by) CHECK(designs > 50);
  CHECK(seen.by_loss[static_cast<std::size_t>(CountedBy::backlog)] > 50);
  CHECK(seen.by_loss[static_cast<std::size_t>(CountedBy::frame_drain)] > 50);
}

namespace {

/// Does the design lose frames with this depth?
bool loses_frames(BoardDesign d, std::int64_t depth, std::span<const Burst> bursts) {
  d.ecb.frame_fifo_frames = depth;
  return on_a_board(d, bursts).counts.frames_lost > 0;
}

std::string compare_frontier(const Case& c, std::uint64_t& strobes) {
  Random r(c.seed);
  const Recorded recorded(c);
  BoardDesign d = design_of(c.hardware, r);
  std::vector<std::int64_t> words{1, 50, 222, 800, 1 + r.below(3000), 40'000};
  Frontier frontier(d, words);
  recorded.each_batch(r.pick({std::size_t{1}, std::size_t{7}, recorded.size()}),
                      [&](const BurstRows& rows) { frontier.add(rows); });
  frontier.finish();
  for (const Frontier::Point& p : frontier.points()) {
    d.pbx.word_ns = p.word_ns;
    std::int64_t depth = 1; // brute force: the least that loses nothing, by halving
    for (std::int64_t most = 1 << 20; depth < most;) {
      const std::int64_t middle = (depth + most) / 2;
      if (loses_frames(d, middle, recorded.bursts()))
        depth = middle + 1;
      else
        most = middle;
    }
    const std::string at = "word " + std::to_string(p.word_ns) + " ns: depth " + std::to_string(p.least_depth);
    if (p.least_depth != depth) return at + ", brute force " + std::to_string(depth);
    if (p.depth_bound < depth) return at + ", bound " + std::to_string(p.depth_bound);
    // The curve's grid has every number up to 32 and then 16 in an octave.
    const auto frames = static_cast<std::int64_t>(frontier.counts().frames_built);
    if (p.depth_bound > depth + (frames <= 32 ? 0 : frames / 16))
      return at + ", loose bound " + std::to_string(p.depth_bound);
  }
  strobes += c.strobes();
  return {};
}

} // namespace

TEST_CASE("the frontier is the least depth that brute force finds, and the bound never below it nor far above") {
  std::uint64_t strobes = 0;
  const std::uint64_t wanted = from_environment("HYPERMON_TEST_STROBES", 100'000);
  check_in_rounds(
      13'000'000, [&] { return strobes >= wanted; },
      [&] { return compare_frontier(*cases({.depths = true}), strobes); });
}

namespace {

/// Number of cases in which the quicker time lines gave the intervals, too.
struct LevelCases {
  std::uint64_t by_backlog = 0;
  std::uint64_t by_reader = 0;
};

/// A board advanced edge by edge against the time lines of its frame FIFO.
std::string compare_time_line(const Case& c, std::uint64_t& edges, LevelCases& covered) {
  if (c.bursts.empty() || c.bursts.back().last() > 5_ms) return {}; // too long to follow
  Random r(c.seed);
  BoardDesign d = design_of(c.hardware, r);
  d.ecb.frame_fifo_frames = r.pick({1, 2, 3, 10, 1024});
  if (!d.drains_apart()) return {};
  const std::int64_t interval = r.pick({1, 100, 1000, 12'345});
  OccupancyTimeLine line(FrameDrain(d.ecb.frame_fifo_frames, d.ecb.frame_fifo_full, d.new_reader(), d.frame_edges()),
                         interval);
  std::optional<LevelTimeLine<BacklogLevels>> by_backlog;
  std::optional<LevelTimeLine<ReaderLevels>> by_reader;
  if (d.drains_by_backlog()) by_backlog.emplace(BacklogLevels(d.ecb.frame_fifo_frames, d.frame_edges()), interval);
  if (d.ecb.frame_fifo_full == WhenFull::drop_newest)
    by_reader.emplace(ReaderLevels(d.ecb.frame_fifo_frames, d.new_reader(), d.frame_edges()), interval);
  const auto front = FramePushes::make(d.port, d.ecb, d.reset_earlier_by, [&](std::span<const FramePush> pushes) {
    line.push(pushes);
    if (by_backlog) by_backlog->push(pushes, [] {});
    if (by_reader) by_reader->push(pushes, [] {});
  });
  const Recorded recorded(c);
  CaptureBoard board(d.port, d.ecb, d.pbx, d.reader);
  board.reset_earlier_by(d.reset_earlier_by);
  std::vector<OccupancyTimeLine::Interval> expected;
  const auto at = [&](std::int64_t edge) -> OccupancyTimeLine::Interval& {
    const auto i = static_cast<std::size_t>(edge / interval);
    if (i >= expected.size()) expected.resize(i + 1);
    return expected[i];
  };
  board.on_loss([&](const Loss& loss) {
    if (loss.cause == LossCause::frame_lost) ++at(loss.time / clock_period).words_lost;
  });
  for (Burst b : recorded.bursts()) {
    b.first += d.lines.propagation;
    front->write(b);
    board.write(b);
  }
  front->finish();
  line.finish();

  const std::int64_t last = line.counts().end;
  std::vector<std::int64_t> histogram;
  std::uint64_t peak = 0;
  std::int64_t peak_edge = 0;
  Counts before = board.counts();
  for (std::int64_t edge = 0; edge <= last; ++edge) {
    board.advance(cycles(edge) + 1_ps);
    const Counts after = board.counts();
    if (after.frames_built > before.frames_built) ++at(edge).frames_built;
    if (after.frames_lost > before.frames_lost) ++at(edge).frames_lost;
    if (after.frames_in_fifo > 0) at(edge).most = std::max(at(edge).most, after.frames_in_fifo);
    if (edge < last) {
      at(edge).least = std::min(at(edge).least, after.frames_in_fifo);
      if (after.frames_in_fifo > peak) {
        peak = after.frames_in_fifo;
        peak_edge = edge;
      }
      if (histogram.size() <= after.frames_in_fifo) histogram.resize(after.frames_in_fifo + 1);
      ++histogram[after.frames_in_fifo];
    }
    before = after;
  }
  edges += static_cast<std::uint64_t>(last);
  board.finish();
  if (board.counts().drained != line.counts().drained) return "frames drained";
  expected.resize(std::max(expected.size(), line.intervals().size()));
  if (!std::equal(line.intervals().begin(), line.intervals().end(), expected.begin())) return "intervals";
  if (by_backlog) {
    by_backlog->finish();
    ++covered.by_backlog;
    if (by_backlog->intervals() != line.intervals()) return "intervals by backlog";
  }
  if (by_reader) {
    by_reader->finish();
    ++covered.by_reader;
    if (by_reader->intervals() != line.intervals()) return "intervals by reader";
  }
  if (line.histogram() != histogram) return "histogram";
  if (line.peak_edge() != peak_edge) return "when the peak is reached";
  return {};
}

} // namespace

TEST_CASE("the time line of a frame FIFO is what a board shows that is looked at after every edge") {
  std::uint64_t edges = 0;
  LevelCases covered;
  const std::uint64_t wanted = 10 * from_environment("HYPERMON_TEST_STROBES", 200'000);
  check_in_rounds(
      14'000'000, [&] { return edges >= wanted && covered.by_backlog >= 5; },
      [&] { return compare_time_line(*cases({.depths = true, .policies = true, .readers = true}), edges, covered); });
  CHECK(covered.by_reader > covered.by_backlog);
}
