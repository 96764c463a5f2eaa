// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/closed_form.hpp"
#include "hw/core/clock.hpp"
#include "hw/core/fifo.hpp"
#include "hw/core/timestamp_generator.hpp"
#include "hw/hypermon/core/reader.hpp"
#include <algorithm>
#include <bit>
#include <cstring>

namespace hypermon {
namespace {

constexpr std::int64_t edge_ns = clock_period.ps() / 1000;

} // namespace

ClosedForm::Divider::Divider(std::int64_t window) {
  __extension__ using Wide = unsigned __int128;
  const auto w = static_cast<std::uint64_t>(window);
  const int l = static_cast<int>(std::bit_width(w - 1));
  multiplier_ = static_cast<std::uint64_t>(((Wide{1} << (63 + l)) + w - 1) / w);
  shift_ = l - 1;
}

bool ClosedForm::holds(const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader) {
  const bool drops = ecb.node_fifo_full == WhenFull::drop_newest && ecb.vector_fifo_full == WhenFull::drop_newest &&
                     ecb.frame_fifo_full == WhenFull::drop_newest;
  const bool plain = ecb.accumulate_bits == 0 && ecb.timestamp_policy == TimestampPolicy::every && !ecb.wrap_frames;
  const bool two_edges_apart = ecb.builder_cycles > 1 || ecb.window_ns > clock_period;
  const bool few_vectors = static_cast<std::size_t>(ecb.vector_fifo_entries) <= longest_vector_fifo ||
                           ecb.node_fifo_entries > ecb.vector_fifo_entries; // then no node FIFO is ever full
  return drops && plain && two_edges_apart && few_vectors && Reader(pbx, reader).ideal();
}

ClosedForm::ClosedForm(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader)
    : design_{Divider(ecb.window_ns.number),
              ecb.window_ns.number,
              ecb.builder_cycles * edge_ns,
              Reader(pbx, reader).read_time(FrameFormat(port, ecb).words()).ps() / 1000,
              {},
              {},
              {},
              static_cast<std::size_t>(ecb.node_fifo_entries),
              FrameFormat(port, ecb).timestamp_mask(),
              std::countr_zero(static_cast<std::uint64_t>(port.width_bits))},
      only_frames_can_be_lost_(design_.build <= design_.window && ecb.vector_fifo_entries > 1 &&
                               ecb.node_fifo_entries > 1) {
  design_.vectors_full = (ecb.vector_fifo_entries - 1) * design_.build;
  design_.node_full = (ecb.node_fifo_entries - 1) * design_.build;
  design_.frames_full = (ecb.frame_fifo_frames - 1) * design_.frame_time;
}

std::size_t ClosedForm::most_frames(std::int64_t first_ns, std::int64_t last_ns, std::size_t strobes) const {
  const auto span = static_cast<std::size_t>(last_ns - first_ns);
  const std::size_t windows = span / static_cast<std::size_t>(design_.window) + 2;
  // While pushes go on, frames leave at best one frame time apart; then those in the FIFO do.
  const auto frame_time = static_cast<std::size_t>(design_.frame_time);
  const auto pushes = span + static_cast<std::size_t>(design_.window + design_.vectors_full + 2 * design_.build);
  const std::size_t read = pushes / frame_time + static_cast<std::size_t>(design_.frames_full) / frame_time + 3;
  return std::min({strobes, windows, read});
}

// --- rows ---

class ClosedForm::NoRows {
public:
  void begin(const State&, bool) {}
  void add(State&, std::uint32_t, std::uint32_t) {}
  void end(const State&) {}
};

/// `fixed_words`: data words of a frame; 0 for any number.
template <std::size_t fixed_words> class ClosedForm::Rows {
public:
  Rows(FrameRows& rows, const Design& design, const State& s)
      : next_(rows.row(s.built - s.frames_lost)), row_(s.row_used ? next_ - rows.stride() : next_),
        stride_(rows.stride()), words_(rows.format().data_words()), wide_timestamp_(rows.wide_timestamp()),
        timestamp_mask_(design.timestamp_mask), log2_bits_(design.log2_data_bits) {}

  /// The row of a window whose frame is lost is the next one's.
  void begin(State& s, bool used) {
    row_ = next_;
    next_ += used ? stride_ : 0;
    s.row_used = used;
    if (fixed_words > 0)
      s.data = 0;
    else
      std::memset(row_, 0, 4 * words());
    const std::uint64_t stamp = s.window & timestamp_mask_;
    if (wide_timestamp_)
      store(row_ + 4 * words() + 4, stamp);
    else
      store(row_ + 4 * words() + 4, static_cast<std::uint32_t>(stamp));
    store(row_ + stride_ - 8, s.read_end);
  }
  void add(State& s, std::uint32_t input, std::uint32_t datum) {
    const std::uint32_t bit = input << log2_bits_;
    if constexpr (fixed_words > 0) {
      s.data |= static_cast<std::uint64_t>(datum) << bit;
    } else {
      std::byte* const at = row_ + 4 * (words() - 1 - bit / 32);
      std::uint32_t word = 0;
      std::memcpy(&word, at, sizeof word);
      store(at, word | datum << bit % 32);
    }
  }
  /// No datum follows in the window that was begun last, or none for now.
  void end(const State& s) {
    if (s.vector == 0) return; // no row was begun
    if (fixed_words == 1) store(row_, static_cast<std::uint32_t>(s.data));
    if (fixed_words == 2) store(row_, std::rotl(s.data, 32)); // word 0, of the upper inputs, is the first in memory
    store(row_ + 4 * words(), s.vector);
  }

private:
  std::size_t words() const { return fixed_words > 0 ? fixed_words : words_; }
  template <class T> static void store(std::byte* at, T value) { std::memcpy(at, &value, sizeof value); }

  std::byte* next_;
  std::byte* row_;
  std::size_t stride_;
  std::size_t words_;
  bool wide_timestamp_;
  std::uint64_t timestamp_mask_;
  int log2_bits_;
};

// --- strobes ---

/// A frame at the edge at which the builder has it; false if it is lost.
inline bool ClosedForm::push(const Design& design, State& s, std::int64_t at) {
  const std::int64_t backlog = s.read_end - at;
  ++s.built;
  if (backlog >= design.frames_full) {
    if (s.frames_lost++ == 0) s.first_overrun = at;
    return false;
  }
  s.backlog = std::max(s.backlog, backlog);
  s.read_end = std::max(at + edge_ns, s.read_end) + design.frame_time;
  return true;
}

// A strobe comes in a new window, or its bit is set, or it is one more: nothing else can happen. No input beyond 31,
// even if somebody changes the arrays meanwhile.
template <class R> void ClosedForm::builder_keeps_up(const StrobeArrays& strobes, R rows) {
  const Design design = design_;
  State s = state_;
  const std::int64_t end_to_push = edge_ns + design.build;
  for (std::size_t i = 0; i < strobes.size(); ++i) {
    const std::int64_t t = strobes.time_ns[i];
    const std::uint32_t input = strobes.node[i] & 31u;
    const std::uint32_t bit = 1u << input;
    std::uint32_t datum = strobes.datum[i];
    if (t >= s.window_end) {
      rows.end(s);
      s.window = design.number(t);
      s.window_end = static_cast<std::int64_t>(s.window + 1) * design.window;
      s.vector = bit;
      rows.begin(s, push(design, s, s.window_end + end_to_push));
    } else {
      const bool aliased = (s.vector & bit) != 0;
      s.aliasing += aliased ? 1 : 0;
      s.vector |= bit;
      datum = aliased ? 0 : datum;
    }
    rows.add(s, input, datum);
  }
  rows.end(s);
  state_ = s;
}

template <class R> void ClosedForm::builder_falls_behind(const StrobeArrays& strobes, R rows) {
  const Design design = design_;
  State s = state_;
  for (std::size_t i = 0; i < strobes.size(); ++i) {
    const std::int64_t t = strobes.time_ns[i];
    const std::uint32_t input = strobes.node[i] & 31u;
    const std::uint32_t bit = 1u << input;
    if (t >= s.window_end) {
      rows.end(s);
      s.entries += s.vector != 0 && !s.window_lost ? 1 : 0;
      s.last_pop = s.pop;
      s.window = design.number(t);
      s.window_end = static_cast<std::int64_t>(s.window + 1) * design.window;
      s.vector = 0;
    }
    if ((s.vector & bit) != 0) {
      ++s.aliasing;
      continue;
    }
    if (s.last_pop - t > design.node_full && node_fifo_full(s, bit, t)) {
      ++s.node_overruns;
      continue;
    }
    if (s.vector == 0) {
      s.window_lost = s.last_pop - s.window_end >= design.vectors_full;
      s.windows_lost += s.window_lost ? 1 : 0;
      if (!s.window_lost) s.pop = std::max(s.window_end + edge_ns, s.last_pop + design.build);
      rows.begin(s, !s.window_lost && push(design, s, s.pop + design.build));
    }
    s.vector |= bit;
    s.discarded += s.window_lost ? 1 : 0;
    if (!s.window_lost) vectors_[s.entries % remembered] = s.vector;
    rows.add(s, input, strobes.datum[i]);
  }
  rows.end(s);
  state_ = s;
}

// The entries with p > t wait after the edge before t; each holds a datum of every input in its vector.
bool ClosedForm::node_fifo_full(const State& s, std::uint32_t bit, std::int64_t t) const {
  const auto waiting = static_cast<std::size_t>((s.last_pop - t - 1) / design_.build) + 1;
  if (waiting > longest_vector_fifo) return false; // of a node FIFO deeper than the strobe-vector FIFO (holds())
  std::size_t may_lack_it = waiting - design_.node_fifo_entries; // not negative, or it would not have been asked
  for (std::size_t i = 1; i <= waiting; ++i)
    if ((vectors_[(s.entries - i) % remembered] & bit) == 0 && may_lack_it-- == 0) return false;
  return true;
}

template <class R> void ClosedForm::run(const StrobeArrays& strobes, R rows) {
  if (only_frames_can_be_lost_)
    builder_keeps_up(strobes, rows);
  else
    builder_falls_behind(strobes, rows);
}

void ClosedForm::capture(const StrobeArrays& strobes, FrameRows* rows) {
  strobes_ += strobes.size();
  if (rows == nullptr) return run(strobes, NoRows());
  rows->reserve(rows->size() + strobes.size() + 1); // one for a window that is lost
  switch (rows->format().data_words()) {
  case 1:
    run(strobes, Rows<1>(*rows, design_, state_));
    break;
  case 2:
    run(strobes, Rows<2>(*rows, design_, state_));
    break;
  default:
    run(strobes, Rows<0>(*rows, design_, state_));
  }
  rows->set_size(state_.built - state_.frames_lost);
}

Counts ClosedForm::counts() const {
  const State& s = state_;
  Counts c;
  c.strobes = strobes_;
  c.aliasing = s.aliasing;
  c.node_overruns = s.node_overruns;
  c.windows_lost = s.windows_lost;
  c.discarded = s.discarded;
  c.frames_built = s.built;
  c.merged = strobes_ - s.aliasing - s.node_overruns - s.discarded - s.built;
  c.frames_lost = s.frames_lost;
  c.drained = s.built - s.frames_lost;
  // After a push at f there are it and those with e > f: as many as fit in e_last - f.
  const std::int64_t others = s.backlog > 0 ? (s.backlog - 1) / design_.frame_time + 1 : 0;
  c.peak_frame_fifo = c.drained > 0 ? static_cast<std::uint64_t>(others) + 1 : 0;
  if (s.frames_lost > 0) c.first_overrun = Time::from_ns(s.first_overrun);
  c.end = c.drained > 0 ? Time::from_ns(s.read_end) : 0_ps;
  return c;
}

} // namespace hypermon
