// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/closed_form.hpp"
#include "base/clock.hpp"
#include "base/fifo.hpp"
#include "hw/core/timestamp_generator.hpp"
#include "hw/hypermon/core/reader.hpp"
#include <algorithm>
#include <bit>
#include <cstring>
#include <immintrin.h>

namespace hypermon {
namespace {

constexpr std::int64_t edge_ns = clock_period.ps() / 1000;

} // namespace

ClosedForm::Windows::Windows(const Design& design, std::uint64_t first, std::uint64_t before,
                             std::span<const std::int64_t> times)
    : begin(static_cast<std::int64_t>(first) * design.window),
      first_push(begin + design.window + edge_ns + design.build) {
  numbers[0] = before == first ? 0 : ~0u;
  const std::size_t eights = design.wide ? times.size() & ~std::size_t{7} : 0;
  if (eights > 0) find_eight(design, times.data(), eights);
  find_each(design, times.data(), eights, times.size());
}

void ClosedForm::Windows::find_each(const Design& design, const std::int64_t* t, std::size_t from, std::size_t n) {
  std::uint32_t before = numbers[from]; // numbers[i]: window of the strobe before the i-th
  for (std::size_t i = from; i < n; ++i) {
    const std::uint32_t k = design.number_since(t[i] - begin);
    opening |= std::uint64_t{k != before} << i;
    numbers[i + 1] = before = k;
    push[i] = first_push + static_cast<std::int64_t>(k) * design.window;
  }
}

[[gnu::target("avx2")]] void ClosedForm::Windows::find_eight(const Design& design, const std::int64_t* t,
                                                             std::size_t n) {
  const __m256i begins = _mm256_set1_epi64x(begin);
  const __m256i multiplier = _mm256_set1_epi64x(design.number_since.multiplier);
  const __m128i shift = _mm_cvtsi32_si128(design.number_since.shift);
  const __m256i window = _mm256_set1_epi64x(design.window);
  const __m256i first_pushes = _mm256_set1_epi64x(first_push);
  const __m256i turn = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
  __m256i before = _mm256_set1_epi32(static_cast<int>(numbers[0]));
  for (std::size_t i = 0; i < n; i += 8) {
    const auto* const at = reinterpret_cast<const __m256i*>(t + i);
    const __m256i low =
        _mm256_srl_epi64(_mm256_mul_epu32(_mm256_sub_epi64(_mm256_loadu_si256(at), begins), multiplier), shift);
    const __m256i high =
        _mm256_srl_epi64(_mm256_mul_epu32(_mm256_sub_epi64(_mm256_loadu_si256(at + 1), begins), multiplier), shift);
    auto* const pushes = reinterpret_cast<__m256i*>(&push[i]);
    _mm256_storeu_si256(pushes, _mm256_add_epi64(_mm256_mul_epu32(low, window), first_pushes));
    _mm256_storeu_si256(pushes + 1, _mm256_add_epi64(_mm256_mul_epu32(high, window), first_pushes));
    const __m256 halves = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88);
    const __m256i k = _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xD8); // restores the order
    const __m256i turned = _mm256_permutevar8x32_epi32(k, turn);
    const __m256i same = _mm256_cmpeq_epi32(k, _mm256_blend_epi32(turned, before, 1));
    const auto opens = ~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same))) & 0xFFu;
    opening |= std::uint64_t{opens} << i;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&numbers[i + 1]), k);
    before = turned;
  }
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

ClosedForm::ClosedForm(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
                       bool wide)
    : design_{Divider(ecb.window_ns.number),
              ShortDivider(ecb.window_ns.number),
              ecb.window_ns.number,
              ecb.builder_cycles * edge_ns,
              Reader(pbx, reader).read_time(FrameFormat(port, ecb).words()).ps() / 1000,
              {},
              {},
              {},
              static_cast<std::size_t>(ecb.node_fifo_entries),
              FrameFormat(port, ecb).timestamp_mask(),
              std::countr_zero(static_cast<std::uint64_t>(port.width_bits)),
              wide},
      only_frames_can_be_lost_(design_.build <= design_.window && ecb.vector_fifo_entries > 1 &&
                               ecb.node_fifo_entries > 1) {
  design_.vectors_full = (ecb.vector_fifo_entries - 1) * design_.build;
  design_.node_full = (ecb.node_fifo_entries - 1) * design_.build;
  design_.frames_full = (ecb.frame_fifo_frames - 1) * design_.frame_time;
}

std::size_t ClosedForm::most_frames(std::int64_t first_ns, std::int64_t last_ns, std::size_t strobes) const {
  const auto span = static_cast<std::size_t>(last_ns - first_ns);
  const std::size_t windows = span / static_cast<std::size_t>(design_.window) + 2;
  // While pushes continue, frames leave at least one frame time apart; afterwards those in the FIFO do.
  const auto frame_time = static_cast<std::size_t>(design_.frame_time);
  const auto pushes = span + static_cast<std::size_t>(design_.window + design_.vectors_full + 2 * design_.build);
  const std::size_t read = pushes / frame_time + static_cast<std::size_t>(design_.frames_full) / frame_time + 3;
  return std::min({strobes, windows, read});
}

// --- rows ---

class ClosedForm::NoRows {
public:
  void push(std::size_t, std::uint64_t, std::int64_t, bool, std::uint32_t, std::uint32_t) {}
  void merge(std::size_t, std::uint32_t, std::uint32_t, std::uint32_t) {}
};

/// Writes the rows of a few strobes' windows. Window 0 is the window of the strobe before them. `fixed_words`: data
/// words of a frame; 0: any number.
template <std::size_t fixed_words> class ClosedForm::Rows {
public:
  Rows(FrameRows& rows, const Design& design, const State& s)
      : next_(rows.row(s.built - s.frames_lost)), stride_(rows.stride()), words_(rows.format().data_words()),
        wide_timestamp_(rows.wide_timestamp()), timestamp_mask_(design.timestamp_mask),
        log2_bits_(design.log2_data_bits) {
    row_of_[0] = s.row_used ? next_ - stride_ : nobodys_.data();
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// Begins the w-th window, in order, with its first datum. If its frame is lost, the next window reuses the row.
  void push(std::size_t w, std::uint64_t window, std::int64_t read_end, bool used, std::uint32_t input,
            std::uint32_t datum) {
    const std::uint32_t bit = input << log2_bits_;
    if constexpr (fixed_words == 1) store(next_, datum << bit % 32);
    if constexpr (fixed_words == 2) // word 0 has the upper inputs and comes first in memory
      store(next_, std::rotl(std::uint64_t{datum} << bit % 64, 32));
    if constexpr (fixed_words == 0) {
      std::memset(next_, 0, 4 * words());
      store(word_at(next_, bit), datum << bit % 32);
    }
    store(vector_at(next_), 1u << input);
    const std::uint64_t stamp = window & timestamp_mask_;
    if (wide_timestamp_)
      store(vector_at(next_) + 4, stamp);
    else
      store(vector_at(next_) + 4, static_cast<std::uint32_t>(stamp));
    store(next_ + stride_ - 8, read_end);
    row_of_[w] = used ? next_ : nobodys_.data();
    next_ += used ? stride_ : 0;
  }
  /// Adds a datum to the w-th window and stores its vector.
  void merge(std::size_t w, std::uint32_t vector, std::uint32_t input, std::uint32_t datum) {
    std::byte* const row = row_of_[w];
    const std::uint32_t bit = input << log2_bits_;
    std::uint32_t word = 0;
    std::memcpy(&word, word_at(row, bit), sizeof word);
    store(word_at(row, bit), word | datum << bit % 32);
    store(vector_at(row), vector);
  }

private:
  std::size_t words() const { return fixed_words > 0 ? fixed_words : words_; }
  // Stays within the row even if another thread changes the arrays at the same time.
  std::byte* word_at(std::byte* row, std::uint32_t bit) const {
    return row + 4 * (words() - 1 - std::min<std::size_t>(bit / 32, words() - 1));
  }
  std::byte* vector_at(std::byte* row) const { return row + 4 * words(); }
  template <class T> static void store(std::byte* at, T value) { std::memcpy(at, &value, sizeof value); }

  std::byte* next_;
  std::size_t stride_;
  std::size_t words_;
  bool wide_timestamp_;
  std::uint64_t timestamp_mask_;
  int log2_bits_;
  std::array<std::byte*, at_once + 1> row_of_;
  std::array<std::byte, 4 * FrameFormat::max_words + 8> nobodys_{}; // receives the content of lost frames
};

// --- strobes ---

/// Pushes a frame at the edge at which the builder has it. Returns false if the frame is lost.
inline bool ClosedForm::push(const Design& design, State& s, std::int64_t at) {
  const std::int64_t backlog = s.read_end - at;
  ++s.built;
  if (backlog >= design.frames_full) {
    ++s.frames_lost;
    s.first_overrun = std::min(s.first_overrun, at);
    return false;
  }
  s.backlog = std::max(s.backlog, backlog);
  s.read_end = std::max(at + edge_ns, s.read_end) + design.frame_time;
  return true;
}

// A strobe opens a window, sets its bit, or is aliasing; nothing else can happen. Each case has its own loop, so that
// there is no branch on which strobes share a window or which frames are lost: no processor could predict these. Inputs
// are limited to 31 even if another thread changes the arrays at the same time.
template <class R> void ClosedForm::builder_keeps_up(const StrobeArrays& strobes, R& rows) {
  const Design design = design_;
  State s = state_;
  const std::size_t n = strobes.size();
  const std::uint64_t first = design.number(strobes.time_ns[0]);
  const Windows windows(design, first, s.window, strobes.time_ns);
  const auto opened = static_cast<std::size_t>(std::popcount(windows.opening));
  const auto input_of = [&](std::size_t i) { return strobes.node[i] & 31u; };
  const auto each_opened = [&](auto&& read_at) {
    std::size_t w = 0;
    for (std::uint64_t left = windows.opening; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      const bool used = read_at(windows.push[i]);
      rows.push(++w, first + windows.numbers[i + 1], s.read_end, used, input_of(i), strobes.datum[i]);
    }
  };
  const std::int64_t more = design.frame_time * static_cast<std::int64_t>(opened);
  if (std::max(s.read_end - windows.first_push, edge_ns) + more < design.frames_full) { // no frame can be lost
    each_opened([&](std::int64_t at) {
      s.backlog = std::max(s.backlog, s.read_end - at);
      s.read_end = std::max(at + edge_ns, s.read_end) + design.frame_time;
      return true;
    });
    s.built += opened;
    s.row_used |= opened > 0;
  } else if (s.frames_lost > 0 && s.read_end > windows.push[n - 1]) { // the reader is never idle
    each_opened([&](std::int64_t at) {
      const bool used = s.read_end - at < design.frames_full;
      s.read_end += used ? design.frame_time : 0;
      s.frames_lost += used ? 0 : 1;
      s.row_used = used;
      return used;
    });
    s.built += opened;
  } else {
    each_opened([&](std::int64_t at) { return s.row_used = push(design, s, at); });
  }

  // Runs of strobes that join the window of the strobe before them.
  std::size_t done = 0;
  std::size_t joined = 0;
  for (std::uint64_t left = windows.joining(n); left != 0;) {
    auto i = static_cast<std::size_t>(std::countr_zero(left));
    if (i > 0) s.vector = 1u << input_of(i - 1);
    done = i + static_cast<std::size_t>(std::countr_one(left >> i));
    left = done < at_once ? left >> done << done : 0;
    s.aliasing += done - i + static_cast<std::size_t>(std::popcount(s.vector));
    for (; i < done; ++i) {
      const std::uint32_t bit = 1u << input_of(i);
      const bool aliased = (s.vector & bit) != 0;
      s.vector |= bit;
      rows.merge(i - joined++, s.vector, input_of(i), aliased ? 0 : strobes.datum[i]);
    }
    s.aliasing -= static_cast<std::size_t>(std::popcount(s.vector)); // a strobe that sets a new bit is no aliasing
  }
  if (done != n) s.vector = 1u << input_of(n - 1);
  s.window = first + windows.numbers[n];
  state_ = s;
}

template <class R> void ClosedForm::builder_falls_behind(const StrobeArrays& strobes, R& rows) {
  const Design design = design_;
  State s = state_;
  std::size_t opened = 0;
  for (std::size_t i = 0; i < strobes.size(); ++i) {
    const std::int64_t t = strobes.time_ns[i];
    const std::uint32_t input = strobes.node[i] & 31u;
    const std::uint32_t bit = 1u << input;
    const std::uint64_t window = design.number(t);
    if (window != s.window) {
      s.entries += s.vector != 0 && !s.window_lost ? 1 : 0;
      s.last_pop = s.pop;
      s.window = window;
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
      const std::int64_t window_end = static_cast<std::int64_t>(window + 1) * design.window;
      s.window_lost = s.last_pop - window_end >= design.vectors_full;
      s.windows_lost += s.window_lost ? 1 : 0;
      if (!s.window_lost) s.pop = std::max(window_end + edge_ns, s.last_pop + design.build);
      s.row_used = !s.window_lost && push(design, s, s.pop + design.build);
      rows.push(++opened, window, s.read_end, s.row_used, input, strobes.datum[i]);
    } else {
      rows.merge(opened, s.vector | bit, input, strobes.datum[i]);
    }
    s.vector |= bit;
    s.discarded += s.window_lost ? 1 : 0;
    if (!s.window_lost) vectors_[s.entries % remembered] = s.vector;
  }
  state_ = s;
}

// Entries with p > t wait after the edge before t; each holds one datum of every input in its vector.
bool ClosedForm::node_fifo_full(const State& s, std::uint32_t bit, std::int64_t t) const {
  const auto waiting = static_cast<std::size_t>((s.last_pop - t - 1) / design_.build) + 1;
  if (waiting > longest_vector_fifo) return false; // a node FIFO deeper than the strobe-vector FIFO (holds())
  std::size_t may_lack_it = waiting - design_.node_fifo_entries; // not negative, because callers check this first
  for (std::size_t i = 1; i <= waiting; ++i)
    if ((vectors_[(s.entries - i) % remembered] & bit) == 0 && may_lack_it-- == 0) return false;
  return true;
}

template <class R> void ClosedForm::run(const StrobeArrays& strobes, R&& rows) {
  if (only_frames_can_be_lost_)
    builder_keeps_up(strobes, rows);
  else
    builder_falls_behind(strobes, rows);
}

void ClosedForm::capture(const StrobeArrays& strobes, FrameRows* rows) {
  const std::size_t n = strobes.size();
  if (n == 0) return;
  if (n > 1 && (n > at_once || !ShortDivider::covers(strobes.time_ns[n - 1] - strobes.time_ns[0] + design_.window))) {
    capture(strobes.part(0, n / 2), rows);
    capture(strobes.part(n / 2, n - n / 2), rows);
    return;
  }
  strobes_ += n;
  if (rows == nullptr) return run(strobes, NoRows());
  rows->reserve(rows->size() + n + 1); // one more row for a window that is lost
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
  // After a push at f the FIFO holds that frame and those with e > f, whose number follows from e_last - f. A frame is
  // lost only when the FIFO is full.
  const std::int64_t others = s.backlog > 0 ? (s.backlog - 1) / design_.frame_time + 1 : 0;
  c.peak_frame_fifo = s.frames_lost > 0 ? static_cast<std::uint64_t>(design_.frames_full / design_.frame_time) + 1
                      : c.drained > 0   ? static_cast<std::uint64_t>(others) + 1
                                        : 0;
  if (s.frames_lost > 0) c.first_overrun = Time::from_ns(s.first_overrun);
  c.end = c.drained > 0 ? Time::from_ns(s.read_end) : 0_ps;
  return c;
}

} // namespace hypermon
