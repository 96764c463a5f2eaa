// SPDX-License-Identifier: BSD-3-Clause
// The contract (spec secs. 1 to 3 and 6, docs/design/section6.md) clock by clock: every 50 ns edge is visited, and
// every FIFO is there with what it holds, in the spec's words and order. Deliberately naive; shares no code with
// hw/core but the plain parameter and result types. Only silence is skipped: edges at which nothing is inside, no
// strobe is due and no wrap entry is made.
#pragma once
#include "base/losses.hpp"
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/core/params.hpp"
#include "tests/monitors/hypermon/core/oracle_parts.hpp"
#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace oracle {

using namespace hypermon;

/// State of the board after an edge; its times are numbers of edges.
struct Snapshot {
  std::vector<std::uint32_t> node_fifo; ///< levels
  std::uint32_t vector;
  std::size_t vector_fifo;
  std::size_t frame_fifo;
  bool building;
  bool builder_held;
  std::uint32_t built_vector;
  std::uint64_t built_timestamp;
  bool reading;
  bool stalling;
  std::int64_t next_action; ///< next action of the reader
  std::size_t left_in_group;
  Counts counts;
  std::uint64_t oldest_frames_lost;
};

/// Sees everything. In one period, strobes are told input by input.
class Watcher {
public:
  virtual ~Watcher() = default;
  virtual void after_edge(std::int64_t edge, const Snapshot& inside) = 0;
  virtual void strobe(std::int64_t ps, std::uint32_t input, std::uint32_t datum) = 0;
  virtual void held(std::int64_t /*ps*/, std::uint32_t /*input*/) {} ///< a write is held, or still held, until strobe()
  virtual void entered(std::int64_t ps, std::uint32_t input) = 0;    ///< its node FIFO
  virtual void look(std::int64_t edge) = 0;
  virtual void reading_begins(std::int64_t edge, const EventFrame& frame) = 0;
};

struct Result {
  std::vector<DeliveredFrame> frames;
  std::vector<Loss> losses;
  Counts counts;
  std::vector<Counts> at_checkpoints;
  std::uint64_t empty_frames_built = 0;
  std::uint64_t words_built = 0; ///< node FIFO words of built frames
  Sightings seen;
};

class Board {
public:
  Board(const PortParams& port, const EcbParams& e, PbxParams b, const ReaderParams& r)
      : width(static_cast<std::uint32_t>(port.width_bits)),
        data_per_word(e.accumulate_bits == 0 ? 1 : static_cast<std::uint32_t>(e.accumulate_bits) / width),
        bits_per_word(std::int64_t{width} * data_per_word), ecb(e), pbx(std::move(b)), reader(r),
        node_stalls(e.node_fifo_full == WhenFull::stall),
        oldest_vector_goes(e.vector_fifo_full == WhenFull::drop_oldest),
        oldest_frame_goes(e.frame_fifo_full == WhenFull::drop_oldest),
        builder_stalls(e.frame_fifo_full == WhenFull::stall),
        on_request(e.timestamp_policy == TimestampPolicy::on_request), edges_per_window(e.window_ns.number / 50),
        timestamp_mask(e.timestamp_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << e.timestamp_bits) - 1),
        window_end(edges_per_window), sources(static_cast<std::size_t>(e.inputs)),
        vector_fifo(static_cast<std::size_t>(e.vector_fifo_entries)),
        frame_fifo(static_cast<std::size_t>(e.frame_fifo_frames)) {
    for (std::size_t i = 0; i < sources.size(); ++i)
      node_fifo.emplace_back(static_cast<std::size_t>(e.node_fifo_entries));
    if (reader.kind == ReaderKind::ideal) {
      reader.group_ns = reader.frame_ns = reader.stall_ns = reader.stall_every_frames = 0;
      pbx.register_read_ns = 0;
    }
  }

  /// Bursts of each input are in the order of their times. Checkpoints ascend; the counts at a checkpoint are those
  /// after every earlier strobe and edge. The writing program ends at `end`; only known strobes follow it.
  Result run(std::span<const Burst> bursts, std::span<const Time> checkpoints = {}, Watcher* who = nullptr,
             Time end = {}) {
    watcher = who;
    program_end = end.ps();
    for (const Burst& burst : bursts)
      if (!burst.data.empty()) sources[burst.input].bursts.push_back(burst);
    for (Source& source : sources)
      if (!source.bursts.empty()) source.due = source.bursts[0].first.ps();
    find_next_due();
    std::size_t checkpoint = 0;
    auto checkpoint_until = [&](std::int64_t ps) {
      return checkpoint < checkpoints.size() && checkpoints[checkpoint].ps() <= ps;
    };
    for (edge = 0;; ++edge) {
      for (; checkpoint_until(now()); ++checkpoint) result.at_checkpoints.push_back(counts());
      at_edge();
      if (watcher != nullptr) watcher->after_edge(edge, snapshot());
      for (; checkpoint_until(now() + period); ++checkpoint) {
        strobes_before(checkpoints[checkpoint].ps());
        result.at_checkpoints.push_back(counts());
      }
      strobes_before(now() + period);
      if (vector != 0 || !vector_fifo.empty() || building || !frame_fifo.empty()) continue;
      if (!strobe_to_come() && !(wrap_frames() && now() + period <= program_end)) break;
      skip_silence();
    }
    result.counts = counts();
    result.at_checkpoints.resize(checkpoints.size(), result.counts);
    return result;
  }

private:
  static constexpr std::int64_t period = 50'000; // ps
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// The data of one or more strobes that follow one another.
  struct Word {
    std::uint32_t data = 0;
    bool flagged = false;
    std::uint64_t first_sequence = 0;
  };
  /// A node's loop that writes to its port, and its accumulator on the board.
  struct Source {
    std::vector<Burst> bursts;
    std::size_t burst = 0;
    std::size_t datum = 0;
    std::int64_t due = never;
    std::uint64_t sequence = 0;
    Word word;
    std::uint32_t collected = 0;
    std::int64_t last = -1; // time of its last strobe
  };
  struct Entry {
    std::uint32_t vector = 0;
    std::uint64_t timestamp = 0;
    std::uint64_t window = 0;
  };
  struct Built {
    EventFrame frame;
    std::uint64_t window = 0;
    std::array<std::uint64_t, max_inputs> first_sequences{};
  };

  std::int64_t now() const { return edge * period; }
  void saw(Sighting what) { ++result.seen[what]; }
  bool strobe_to_come() const { return next_due != never; }

  // --- the nodes ---

  void find_next_due() {
    next_due = never;
    for (const Source& source : sources) next_due = std::min(next_due, source.due);
  }

  // Within a period, strobes of different inputs do not affect each other.
  void strobes_before(std::int64_t limit) {
    if (next_due >= limit) return;
    for (std::uint32_t i = 0; i < sources.size(); ++i)
      while (sources[i].due < limit) strobe(i);
    find_next_due();
  }

  void strobe(std::uint32_t i) {
    Source& source = sources[i];
    const bool completes = source.collected + 1 == data_per_word;
    if (completes && !has(vector, i) && node_fifo[i].full() && node_stalls) {
      saw(Sighting::strobe_held);
      if (watcher != nullptr) watcher->held(source.due, i);
      source.due = now() + period; // tries again after the next edge
      return;
    }
    const std::int64_t time = source.due;
    notice_time(source, time);
    if (source.collected == 0) source.word = {0, false, source.sequence};
    const Burst& burst = source.bursts[source.burst];
    source.word.data |= datum(burst, source.datum) << (source.collected * width);
    if (watcher != nullptr) watcher->strobe(time, i, datum(burst, source.datum));
    source.word.flagged |= burst.flag_first && source.datum == 0;
    ++result.counts.strobes;
    ++source.sequence;
    ++source.collected;
    if (completes) {
      word_complete(i, source.word, time);
      source.collected = 0;
    }
    next_datum(source, time);
  }

  std::uint32_t datum(const Burst& burst, std::size_t j) const {
    const std::size_t bytes = (width + 7) / 8;
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < bytes; ++b) value |= std::uint32_t{burst.data[j * bytes + b]} << (8 * b);
    return width == 4 ? value & 0xF : value;
  }

  void next_datum(Source& source, std::int64_t happened) const {
    const std::size_t bytes = (width + 7) / 8;
    const Burst& burst = source.bursts[source.burst];
    if ((++source.datum) * bytes < burst.data.size()) {
      source.due = happened + burst.spacing.ps();
    } else if (++source.burst < source.bursts.size()) {
      source.datum = 0;
      source.due = std::max(happened, source.bursts[source.burst].first.ps());
    } else {
      source.due = never;
    }
  }

  void notice_time(Source& source, std::int64_t time) {
    if (time == now()) saw(Sighting::strobe_on_edge);
    if (time == now() && window_end - edges_per_window == edge) saw(Sighting::strobe_on_window_boundary);
    if (time == source.last) saw(Sighting::strobes_of_one_input_at_once);
    if (time == last_strobe && time != source.last) saw(Sighting::strobes_of_several_inputs_at_once);
    source.last = last_strobe = time;
  }

  // --- from strobe to frame ---

  // "Strobe of node i in window k, in this order"
  void word_complete(std::uint32_t i, const Word& word, std::int64_t time) {
    if (has(vector, i)) {
      ++result.counts.aliasing;
      lose(i, word.first_sequence, LossCause::aliasing, time);
    } else if (node_fifo[i].full()) {
      ++result.counts.node_overruns;
      lose(i, word.first_sequence, LossCause::node_overrun, time);
    } else {
      node_fifo[i].push(word);
      vector |= 1u << i;
      if (watcher != nullptr) watcher->entered(time, i);
    }
  }

  // "Everything at an edge decides on the state before that edge, and all changes appear together after it."
  void at_edge() {
    const bool vectors_full = vector_fifo.full();
    const bool vector_waits = !vector_fifo.empty();
    const bool frames_full = frame_fifo.full();
    const std::size_t frames_before = frame_fifo.size();
    const bool frame_leaves = reading && now() >= reading_since * period + read_ps();
    const bool frame_complete = building && edge >= built_at;
    const bool frame_pushed = frame_complete && !(builder_stalls && frames_full);

    if (frame_complete && !frame_pushed) saw(Sighting::builder_held);
    if (frame_leaves && frame_pushed && frames_full) saw(Sighting::frame_leaves_as_one_finds_no_room);
    if (frame_pushed) {
      completed = in_builder;
      building = false;
    }
    if (!building && vector_waits) {
      take();
      if (edge == window_end && vectors_full) saw(Sighting::entry_taken_as_one_finds_no_room);
    }
    if (edge == window_end) end_of_window(vectors_full);
    read(frame_leaves, frames_before);
    if (frame_pushed) push(frames_full);
    result.counts.peak_frame_fifo = std::max<std::uint64_t>(result.counts.peak_frame_fifo, frame_fifo.size());
  }

  void end_of_window(bool vectors_full) {
    const bool wraps =
        ((window + 1) & timestamp_mask) == 0 && wrap_frames() && (strobe_to_come() || now() <= program_end);
    if (vector != 0 || wraps) {
      if (vector == 0) saw(Sighting::empty_entry);
      if (vectors_full) lose_window();
      if (!vectors_full || !new_window_lost) vector_fifo.push({vector, window & timestamp_mask, window});
    }
    vector = 0;
    ++window;
    window_end += edges_per_window;
  }
  bool wrap_frames() const { return ecb.wrap_frames && !on_request; }

  // The entry that the builder takes at this edge is no longer there.
  void lose_window() {
    ++result.counts.windows_lost;
    new_window_lost = !oldest_vector_goes || vector_fifo.empty();
    const Entry lost = new_window_lost ? Entry{vector, 0, 0} : vector_fifo.front();
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
      if (!has(lost.vector, i)) continue;
      ++result.counts.discarded;
      const Word& word = new_window_lost ? node_fifo[i].back() : node_fifo[i].front();
      lose(i, word.first_sequence, LossCause::window_lost, now());
      new_window_lost ? node_fifo[i].pop_back() : node_fifo[i].pop();
    }
    if (!new_window_lost) vector_fifo.pop();
    saw(!new_window_lost     ? Sighting::oldest_window_lost
        : oldest_vector_goes ? Sighting::newest_window_lost_as_none_is_older
                             : Sighting::newest_window_lost);
    if (lost.vector == 0) saw(Sighting::empty_entry_lost);
  }

  void take() {
    const Entry entry = vector_fifo.front();
    vector_fifo.pop();
    in_builder = {};
    in_builder.window = entry.window;
    bool flagged = false;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
      if (!has(entry.vector, i)) continue;
      const Word word = node_fifo[i].front();
      node_fifo[i].pop();
      in_builder.first_sequences[i] = word.first_sequence;
      in_builder.frame.data[i] = word.data;
      flagged |= word.flagged;
    }
    in_builder.frame.vector = entry.vector;
    in_builder.frame.stamped = !on_request || flagged;
    in_builder.frame.timestamp = in_builder.frame.stamped ? entry.timestamp : 0;
    building = true;
    built_at = edge + ecb.builder_cycles;
  }

  // `completed` goes to the frame FIFO. Its reader has made up its mind about this edge.
  void push(bool frames_full) {
    const auto words = static_cast<std::uint64_t>(std::popcount(completed.frame.vector));
    ++result.counts.frames_built;
    result.words_built += words;
    if (words == 0)
      ++result.empty_frames_built;
    else
      result.counts.merged += words - 1;
    if (on_request) saw(completed.frame.stamped ? Sighting::frame_flagged : Sighting::frame_not_flagged);
    if (!frames_full) return frame_fifo.push(completed);

    if (result.counts.frames_lost++ == 0) result.counts.first_overrun = Time::from_ps(now());
    const std::size_t oldest_not_read = reading ? 1 : 0;
    if (!oldest_frame_goes) {
      saw(Sighting::newest_frame_lost);
      lose_frame(completed);
    } else if (oldest_not_read >= frame_fifo.size()) {
      saw(Sighting::newest_frame_lost_as_older_ones_are_read);
      lose_frame(completed);
    } else {
      saw(Sighting::oldest_frame_lost);
      lose_frame(frame_fifo[oldest_not_read]);
      frame_fifo.erase(oldest_not_read);
      frame_fifo.push(completed);
    }
  }

  // --- losses ---

  static bool has(std::uint32_t vector, std::uint32_t i) { return (vector >> i & 1) != 0; }

  void lose(std::uint32_t input, std::uint64_t first_sequence, LossCause cause, std::int64_t ps) {
    for (std::uint32_t j = 0; j < data_per_word; ++j)
      result.losses.push_back({input, first_sequence + j, cause, Time::from_ps(ps)});
  }
  void lose_frame(const Built& built) {
    if (built.frame.vector == 0) saw(Sighting::empty_frame_lost);
    for (std::uint32_t i = 0; i < sources.size(); ++i)
      if (has(built.frame.vector, i)) lose(i, built.first_sequences[i], LossCause::frame_lost, now());
  }

  // --- from frame to I/O node ---

  static std::int64_t edges(std::int64_t ns) { return (ns + 49) / 50; }

  std::int64_t words_of(const EventFrame& frame) const {
    return (ecb.inputs * bits_per_word + 31) / 32 + 1 + (frame.stamped ? (ecb.timestamp_bits + 31) / 32 : 0);
  }

  void read(bool frame_leaves, std::size_t frames_before) {
    if (frame_leaves) {
      const auto window_ps = edges_per_window * period;
      const auto captured = Time::from_ps(static_cast<std::int64_t>(frame_fifo.front().window) * window_ps);
      result.frames.push_back({frame_fifo.front().frame, Time::from_ps(now()), captured});
      frame_fifo.pop();
      ++result.counts.drained;
      result.counts.end = Time::from_ps(now());
      reading = false;
      --left_in_group;
      ++since_stall;
      next_action = edge + edges(reader.frame_ns.number);
      if (left_in_group == 0 && reader.stall_every_frames > 0 && since_stall >= reader.stall_every_frames) {
        next_action += edges(reader.stall_ns.number);
        since_stall = 0;
        stalling = edges(reader.stall_ns.number) > 0;
        saw(Sighting::reader_stalled);
      }
    }
    if (reading || edge < next_action) return;
    if (left_in_group == 0) { // a look
      const std::size_t waiting = frames_before - (frame_leaves ? 1 : 0);
      if (pbx.register_read_ns > 0) next_action = edge + edges(pbx.register_read_ns.number);
      if (waiting == 0) return;
      if (pbx.register_read_ns > 0 && !status_seen) { // the count is read next
        status_seen = true;
        seen_by_status = waiting;
        stalling = false;
        return;
      }
      if (status_seen && waiting > seen_by_status) saw(Sighting::frames_came_after_status);
      status_seen = false;
      left_in_group = std::min<std::size_t>(waiting, 4095);
      stalling = false;
      if (watcher != nullptr) watcher->look(edge);
      if (waiting > 4095) saw(Sighting::count_register_saturated);
      next_action = edge + edges(pbx.register_read_ns.number) + edges(reader.group_ns.number);
      if (edge < next_action) return;
    }
    reading = true;
    reading_since = edge;
    words_to_read = words_of(frame_fifo.front().frame);
    if (watcher != nullptr) watcher->reading_begins(edge, frame_fifo.front().frame);
  }

  std::int64_t read_ps() const { return (pbx.burst_start_ns.number + words_to_read * pbx.word_ns.number) * 1000; }

  // --- the run ---

  // Polls of a program that finds no frames follow one another.
  void skip_polls() {
    const std::int64_t poll = edges(pbx.register_read_ns.number);
    if (poll > 0 && next_action <= edge) next_action += (edge - next_action) / poll * poll + poll;
  }

  void skip_silence() {
    std::int64_t until = strobe_to_come() ? next_due / period : program_end / period + 1;
    if (wrap_frames() && timestamp_mask < (std::uint64_t{1} << 62) / static_cast<std::uint64_t>(edges_per_window)) {
      const std::int64_t edges_per_wrap = (static_cast<std::int64_t>(timestamp_mask) + 1) * edges_per_window;
      until = std::min(until, (edge / edges_per_wrap + 1) * edges_per_wrap);
    }
    if (until <= edge + 1) return;
    saw(Sighting::silence_skipped);
    edge = until - 1;
    skip_polls();
    // A window that ends at the next edge that is visited is still to be ended there.
    window = static_cast<std::uint64_t>(edge / edges_per_window);
    window_end = (edge / edges_per_window + 1) * edges_per_window;
  }

  Snapshot snapshot() const {
    Snapshot s{{},
               vector,
               vector_fifo.size(),
               frame_fifo.size(),
               building,
               building && edge >= built_at,
               building ? in_builder.frame.vector : 0,
               building ? in_builder.frame.timestamp : 0,
               reading,
               stalling,
               next_action,
               left_in_group,
               result.counts,
               result.seen[Sighting::oldest_frame_lost]};
    for (const Fifo<Word>& fifo : node_fifo) s.node_fifo.push_back(static_cast<std::uint32_t>(fifo.size()));
    return s;
  }

  Counts counts() const {
    Counts c = result.counts;
    c.frames_in_fifo = frame_fifo.size();
    for (const Source& source : sources) c.accumulating += source.collected;
    return c;
  }

  std::uint32_t width;
  std::uint32_t data_per_word;
  std::int64_t bits_per_word;
  EcbParams ecb;
  PbxParams pbx;
  ReaderParams reader;
  bool node_stalls;
  bool oldest_vector_goes;
  bool oldest_frame_goes;
  bool builder_stalls;
  bool on_request;
  std::int64_t edges_per_window;
  std::uint64_t timestamp_mask;

  std::int64_t edge = 0;
  std::uint64_t window = 0; // number of the current window
  std::int64_t window_end;  // edge
  std::uint32_t vector = 0; // vector of the current window
  std::vector<Source> sources;
  std::int64_t next_due = never;
  std::int64_t program_end = 0;
  std::int64_t last_strobe = -1;
  std::vector<Fifo<Word>> node_fifo;
  Fifo<Entry> vector_fifo;
  bool new_window_lost = false; // rather than an older one, at this edge
  bool building = false;
  Built in_builder;
  std::int64_t built_at = 0;
  Built completed; // the frame that is pushed at this edge
  Fifo<Built> frame_fifo;
  bool reading = false;
  std::int64_t reading_since = 0;
  std::int64_t words_to_read = 0;
  std::int64_t next_action = 0;
  std::size_t left_in_group = 0;
  std::int64_t since_stall = 0;
  bool status_seen = false; // frames wait, by the status that was read last
  std::size_t seen_by_status = 0;
  bool stalling = false; // True if it stalls, or has done so since the last query
  Watcher* watcher = nullptr;
  Result result;
};

} // namespace oracle
