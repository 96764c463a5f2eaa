// SPDX-License-Identifier: BSD-3-Clause
// The funnel's contract (hw/hypermon/core/funnel.hpp) clock by clock, deliberately naive: every edge is visited but
// those at which nothing is inside and no strobe is due. Shares no code with hw/core but parameter and result types.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/funnel.hpp"
#include "tests/monitors/hypermon/core/oracle_parts.hpp"
#include <algorithm>
#include <limits>
#include <optional>

namespace oracle {

using namespace hypermon;

struct FunnelResult {
  std::vector<DeliveredWord> words;
  std::vector<Loss> losses;
  FunnelCounts counts;
  std::vector<FunnelCounts> at_checkpoints;
  // Counts without which the agreement would mean little:
  std::uint64_t held = 0;         // edges for which a strobe was held
  std::uint64_t arbiter_held = 0; // edges for which the arbiter was
  std::uint64_t oldest_lost = 0;
  std::uint64_t contended = 0; // decisions of the arbiter between several
};

class NaiveFunnel {
public:
  NaiveFunnel(const PortParams& port, const FunnelParams& f, const PbxParams& b, const ReaderParams& r)
      : width(port.width_bits), funnel(f), reader(r), sources(static_cast<std::size_t>(f.sources)),
        wide(static_cast<std::size_t>(f.fifo_words)) {
    for (Source& s : sources) s.fifo.emplace(static_cast<std::size_t>(f.source_fifo_entries));
    if (reader.kind == ReaderKind::ideal)
      reader.group_ns = reader.frame_ns = reader.stall_ns = reader.stall_every_frames = 0;
    const std::int64_t bits = width + f.id_bits + f.timestamp_bits;
    // Exactly the bits, or words of 32; in either case a word of the funnel ends at an edge.
    const std::int64_t ps =
        f.packed ? (bits * b.word_ns.number * 1000 + 31) / 32 : (bits + 31) / 32 * b.word_ns.number * 1000;
    edges_per_word = (ps + period - 1) / period;
  }

  /// Checkpoints ascend; the counts at one are those after every strobe and edge before it.
  FunnelResult run(std::span<const Burst> bursts, std::span<const Time> checkpoints) {
    for (const Burst& b : bursts)
      if (!b.data.empty()) sources[b.input].bursts.push_back(b);
    for (Source& s : sources)
      if (!s.bursts.empty()) s.due = s.bursts[0].first.ps();
    std::size_t checkpoint = 0;
    for (edge = 0;; ++edge) {
      for (; checkpoint < checkpoints.size() && checkpoints[checkpoint].ps() <= now(); ++checkpoint)
        result.at_checkpoints.push_back(counts());
      at_edge();
      for (; checkpoint < checkpoints.size() && checkpoints[checkpoint].ps() <= now() + period; ++checkpoint) {
        strobes_before(checkpoints[checkpoint].ps());
        result.at_checkpoints.push_back(counts());
      }
      strobes_before(now() + period);
      if (counts().in_sources > 0 || !wide.empty()) continue;
      std::int64_t next = never;
      for (const Source& s : sources) next = std::min(next, s.due);
      if (next == never) break;
      edge = std::max(edge, next / period - 1);
    }
    result.counts = counts();
    result.at_checkpoints.resize(checkpoints.size(), result.counts);
    return result;
  }

private:
  static constexpr std::int64_t period = 50'000; // ps
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  struct Word {
    FunnelWord word;
    std::uint64_t sequence = 0;
  };
  struct Source {
    std::vector<Burst> bursts;
    std::size_t burst = 0;
    std::size_t datum = 0;
    std::int64_t due = never;
    std::uint64_t sequence = 0;
    std::optional<Fifo<Word>> fifo;
  };

  std::int64_t now() const { return edge * period; }
  static std::int64_t edges(std::int64_t ns) { return (ns + 49) / 50; }

  void strobes_before(std::int64_t limit) {
    for (std::uint32_t i = 0; i < sources.size(); ++i)
      while (sources[i].due < limit) strobe(i, sources[i]);
  }

  void strobe(std::uint32_t i, Source& s) {
    if (s.fifo->full() && funnel.source_full == WhenFull::stall) {
      ++result.held;
      s.due = now() + period; // tries again after the next edge
      return;
    }
    const std::int64_t time = s.due;
    const Burst& burst = s.bursts[s.burst];
    if (s.fifo->full()) {
      ++result.counts.source_overruns;
      result.losses.push_back({i, s.sequence, LossCause::node_overrun, Time::from_ps(time)});
    } else {
      const auto period_number = static_cast<std::uint64_t>(time / (funnel.timestamp_ns.number * 1000));
      const std::uint64_t stamp =
          funnel.timestamp_bits == 64 ? period_number : period_number % (std::uint64_t{1} << funnel.timestamp_bits);
      s.fifo->push({{i, datum(burst, s.datum), stamp}, s.sequence});
    }
    ++s.sequence;
    ++result.counts.strobes;
    const std::size_t bytes = static_cast<std::size_t>(width + 7) / 8;
    if (++s.datum * bytes < burst.data.size()) {
      s.due = time + burst.spacing.ps();
    } else {
      s.datum = 0;
      s.due = ++s.burst < s.bursts.size() ? std::max(time, s.bursts[s.burst].first.ps()) : never;
    }
  }

  std::uint32_t datum(const Burst& burst, std::size_t j) const {
    const std::size_t bytes = static_cast<std::size_t>(width + 7) / 8;
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < bytes; ++b) value |= std::uint32_t{burst.data[j * bytes + b]} << (8 * b);
    return width == 4 ? value & 0xF : value;
  }

  // "Everything at an edge decides on the state before that edge, and all changes appear together after it."
  void at_edge() {
    const std::size_t level = wide.size();
    const bool full = wide.full();
    const bool leaves = reading && edge >= read_until;
    const bool complete = arbitrating && edge >= arbitrated_at;
    const bool passes = complete && !(full && funnel.fifo_full == WhenFull::stall);
    if (complete && !passes) ++result.arbiter_held;
    const Word passed = at_arbiter;
    if (passes) arbitrating = false;
    if (!arbitrating) arbitrate();
    read(leaves, level);
    if (passes) push(passed, full);
    result.counts.peak_fifo = std::max<std::uint64_t>(result.counts.peak_fifo, wide.size());
  }

  void arbitrate() {
    const std::size_t n = sources.size();
    std::size_t waiting = 0;
    for (const Source& s : sources) waiting += s.fifo->empty() ? 0 : 1;
    if (waiting == 0) return;
    if (waiting > 1) ++result.contended;
    std::size_t chosen = funnel.arbiter == Arbitration::priority ? 0 : (served + 1) % n;
    while (sources[chosen].fifo->empty()) chosen = (chosen + 1) % n;
    served = chosen;
    at_arbiter = sources[chosen].fifo->front();
    sources[chosen].fifo->pop();
    arbitrating = true;
    arbitrated_at = edge + funnel.arbiter_cycles;
  }

  void push(const Word& word, bool full) {
    ++result.counts.passed;
    if (!full) return wide.push(word);
    ++result.counts.lost;
    const std::size_t oldest = reading ? 1 : 0;
    const bool newest_goes = funnel.fifo_full != WhenFull::drop_oldest || oldest >= wide.size();
    const Word lost = newest_goes ? word : wide[oldest];
    result.losses.push_back({lost.word.source, lost.sequence, LossCause::frame_lost, Time::from_ps(now())});
    if (newest_goes) return;
    ++result.oldest_lost;
    wide.erase(oldest);
    wide.push(word);
  }

  void read(bool leaves, std::size_t level) {
    if (leaves) {
      result.words.push_back({wide.front().word, Time::from_ps(now())});
      wide.pop();
      ++result.counts.drained;
      result.counts.end = Time::from_ps(now());
      reading = false;
      --left_in_group;
      ++since_stall;
      next_action = edge + edges(reader.frame_ns.number);
      if (left_in_group == 0 && reader.stall_every_frames > 0 && since_stall >= reader.stall_every_frames) {
        next_action += edges(reader.stall_ns.number);
        since_stall = 0;
      }
    }
    if (reading || edge < next_action) return;
    if (left_in_group == 0) {
      const std::size_t waiting = level - (leaves ? 1 : 0);
      if (waiting == 0) return;
      left_in_group = std::min<std::size_t>(waiting, 4095);
      next_action = edge + edges(reader.group_ns.number);
      if (edge < next_action) return;
    }
    reading = true;
    read_until = edge + edges_per_word;
  }

  FunnelCounts counts() const {
    FunnelCounts c = result.counts;
    for (const Source& s : sources) c.in_sources += s.fifo->size();
    c.in_sources += arbitrating ? 1 : 0;
    c.in_fifo = wide.size();
    return c;
  }

  std::int64_t width;
  FunnelParams funnel;
  ReaderParams reader;
  std::int64_t edges_per_word;
  std::int64_t edge = 0;
  std::vector<Source> sources;
  std::size_t served = sources.size() - 1;
  bool arbitrating = false;
  Word at_arbiter;
  std::int64_t arbitrated_at = 0;
  Fifo<Word> wide;
  bool reading = false;
  std::int64_t read_until = 0;
  std::int64_t next_action = 0;
  std::size_t left_in_group = 0;
  std::int64_t since_stall = 0;
  FunnelResult result;
};

} // namespace oracle
