// The contract (spec secs. 1 to 3) cycle by cycle: one pass over every 50 ns edge, queues that hold what the
// hardware's FIFOs hold, in the spec's words and order. Deliberately naive; shares no code with hw/core but the
// plain result types.
#pragma once
#include "hw/core/counts.hpp"
#include "hw/core/frame.hpp"
#include "hw/core/losses.hpp"
#include "hw/core/params.hpp"
#include <deque>
#include <map>
#include <vector>

namespace oracle {

using namespace hypermon;

struct Strobe {
  std::int64_t ps;
  std::uint32_t input;
  std::uint8_t datum;
};

struct Result {
  std::vector<DeliveredFrame> frames;
  std::vector<Loss> losses;
  Counts counts;
};

class Board {
public:
  Board(const EcbParams& e, const PbxParams& b, const ReaderParams& r) : ecb(e), pbx(b), reader(r), node_fifo(16) {
    if (reader.kind == "ideal") reader.group_ns = reader.frame_ns = reader.stall_ns = reader.stall_every_frames = 0;
  }

  /// Strobes in the order in which they are given, sorted by time.
  Result run(const std::vector<Strobe>& strobes) {
    std::size_t next = 0;
    for (edge = 0;; ++edge) {
      at_edge();
      for (; next < strobes.size() && strobes[next].ps < (edge + 1) * 50000; ++next) strobe(strobes[next]);
      if (next == strobes.size() && vector == 0 && vector_fifo.empty() && !building && frame_fifo.empty()) break;
    }
    result.counts.frames_in_fifo = frame_fifo.size();
    return result;
  }

private:
  struct Nibble {
    std::uint8_t datum;
    std::uint64_t sequence;
  };
  struct Entry {
    std::uint32_t vector;
    std::uint32_t timestamp;
  };
  struct Built {
    EventFrame frame;
    std::map<std::uint32_t, std::uint64_t> sequences;
  };

  void lose(std::uint32_t input, std::uint64_t sequence, LossCause cause, std::int64_t ps) {
    result.losses.push_back({input, sequence, cause, Time::from_ps(ps)});
  }

  // "Strobe of node i in window k, in this order"
  void strobe(const Strobe& s) {
    const std::uint64_t sequence = sequences[s.input]++;
    ++result.counts.strobes;
    auto& fifo = node_fifo[s.input];
    if (vector >> s.input & 1) {
      ++result.counts.aliasing;
      lose(s.input, sequence, LossCause::aliasing, s.ps);
    } else if (fifo.size() == static_cast<std::size_t>(ecb.node_fifo_entries)) {
      ++result.counts.node_overruns;
      lose(s.input, sequence, LossCause::node_overrun, s.ps);
    } else {
      fifo.push_back({s.datum, sequence});
      vector |= 1u << s.input;
    }
  }

  // "Everything at an edge decides on the state before that edge, and all changes appear together after it."
  void at_edge() {
    const std::size_t vectors_before = vector_fifo.size();
    const std::size_t frames_before = frame_fifo.size();

    const bool frame_leaves = reading && edge * 50 >= reading_since * 50 + 4 * pbx.word_ns;
    const bool frame_completes = building && edge == built_at;
    const bool entry_taken = (!building || frame_completes) && vectors_before > 0;

    Built completed;
    if (frame_completes) {
      completed = *building;
      building.reset();
    }
    if (entry_taken) take();
    const std::int64_t edges_per_window = ecb.window_ns / 50;
    if (edge > 0 && edge % edges_per_window == 0) end_of_window(vectors_before, edge / edges_per_window - 1);
    read(frame_leaves, frames_before);
    if (frame_completes) push(completed, frames_before);
    result.counts.peak_frame_fifo = std::max<std::uint64_t>(result.counts.peak_frame_fifo, frame_fifo.size());
  }

  void end_of_window(std::size_t vectors_before, std::int64_t k) {
    if (vector != 0 && vectors_before == static_cast<std::size_t>(ecb.vector_fifo_entries)) {
      ++result.counts.windows_lost;
      for (std::uint32_t i = 0; i < 16; ++i)
        if (vector >> i & 1) {
          ++result.counts.discarded;
          lose(i, node_fifo[i].back().sequence, LossCause::window_lost, edge * 50000);
          node_fifo[i].pop_back();
        }
    } else if (vector != 0) {
      vector_fifo.push_back({vector, static_cast<std::uint32_t>(k)});
    }
    vector = 0;
  }

  void take() {
    const Entry entry = vector_fifo.front();
    vector_fifo.pop_front();
    Built b;
    for (std::uint32_t i = 0; i < 16; ++i)
      if (entry.vector >> i & 1) {
        const Nibble nibble = node_fifo[i].front();
        node_fifo[i].pop_front();
        b.sequences[i] = nibble.sequence;
        // word 0: nodes 15 to 8, node 15 in bits 31..28; word 1: nodes 7 to 0
        b.frame.words[i >= 8 ? 0 : 1] |= static_cast<std::uint32_t>(nibble.datum) << (4 * (i >= 8 ? i - 8 : i));
      }
    b.frame.words[2] = entry.vector;
    b.frame.words[3] = entry.timestamp;
    building = b;
    built_at = edge + ecb.builder_cycles;
  }

  void push(const Built& b, std::size_t frames_before) {
    ++result.counts.frames_built;
    result.counts.merged += b.sequences.size() - 1;
    if (frames_before == static_cast<std::size_t>(ecb.frame_fifo_frames)) {
      if (result.counts.frames_lost++ == 0) result.counts.first_overrun = Time::from_ns(edge * 50);
      for (const auto& [input, sequence] : b.sequences) lose(input, sequence, LossCause::frame_lost, edge * 50000);
    } else {
      frame_fifo.push_back(b.frame);
    }
  }

  static std::int64_t edge_after(std::int64_t from_edge, std::int64_t ns) {
    std::int64_t n = from_edge;
    while (n * 50 < from_edge * 50 + ns) ++n;
    return n;
  }

  void read(bool frame_leaves, std::size_t frames_before) {
    if (frame_leaves) {
      result.frames.push_back({frame_fifo.front(), Time::from_ns(edge * 50)});
      frame_fifo.pop_front();
      ++result.counts.drained;
      result.counts.end = Time::from_ns(edge * 50);
      reading = false;
      --left_in_group;
      ++since_stall;
      next_action = edge_after(edge, reader.frame_ns);
      if (left_in_group == 0 && reader.stall_every_frames > 0 &&
          since_stall >= static_cast<std::uint64_t>(reader.stall_every_frames)) {
        next_action = edge_after(next_action, reader.stall_ns);
        since_stall = 0;
      }
    }
    if (reading || edge < next_action) return;
    if (left_in_group == 0) { // a look
      const std::size_t waiting = frames_before - (frame_leaves ? 1 : 0);
      if (waiting == 0) return;
      left_in_group = std::min<std::size_t>(waiting, 4095);
      next_action = edge_after(edge, reader.group_ns);
      if (edge < next_action) return;
    }
    reading = true;
    reading_since = edge;
  }

  EcbParams ecb;
  PbxParams pbx;
  ReaderParams reader;
  std::int64_t edge = 0;
  std::uint32_t vector = 0;
  std::vector<std::deque<Nibble>> node_fifo;
  std::deque<Entry> vector_fifo;
  std::optional<Built> building;
  std::int64_t built_at = 0;
  std::deque<EventFrame> frame_fifo;
  bool reading = false;
  std::int64_t reading_since = 0;
  std::int64_t next_action = 0;
  std::size_t left_in_group = 0;
  std::uint64_t since_stall = 0;
  std::map<std::uint32_t, std::uint64_t> sequences;
  Result result;
};

} // namespace oracle
