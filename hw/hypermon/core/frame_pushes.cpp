// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/frame_pushes.hpp"
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/divider.hpp"
#include "hw/hypermon/core/window_steps.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace hypermon {

namespace {

constexpr std::int64_t edge_number(Time edge) { return edge / clock_period; }

/// Front for any design: a board whose reader needs one cycle for a frame. A frame pushed at edge f has then been read
/// at exactly f + 2, and the frame FIFO never holds more than two.
class BoardFront final : public FramePushes, private FrameSink {
public:
  BoardFront(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by, Sink sink)
      : board_(port, roomy(ecb), fastest(), ReaderParams{}), sink_(std::move(sink)) {
    board_.reset_earlier_by(reset_earlier_by);
    board_.deliver_to(this);
  }

  /// Pushes up to this edge are already known and are left out.
  void leave_out_up_to(std::int64_t edge) { known_ = edge; }
  /// Like write(), but later bursts may begin before this one.
  void write_ahead(const Burst& burst) { board_.write(burst); }
  void write(const Burst& burst) override {
    if (++written_ % bursts_at_once == 0) board_.advance(std::min(burst.first, program_end_));
    board_.write(burst);
  }
  void program_ends(Time at) override { board_.program_ends(program_end_ = at); }
  void finish() override { board_.finish(); }
  Counts counts() const override {
    Counts c = board_.counts();
    c.drained = 0;
    c.peak_frame_fifo = 0;
    c.end = 0_ps;
    return c;
  }

private:
  static constexpr std::uint64_t bursts_at_once = 1024;
  static EcbParams roomy(EcbParams ecb) {
    ecb.frame_fifo_frames = 4;
    ecb.frame_fifo_full = WhenFull::drop_newest;
    return ecb;
  }
  static PbxParams fastest() {
    static_assert(FrameFormat::max_words < 50, "a frame must be read within a clock period");
    return {.word_ns = 1, .module = {}};
  }

  void frames(std::span<const DeliveredFrame> frames) override {
    pushes_.clear();
    for (const DeliveredFrame& f : frames)
      if (const std::int64_t edge = edge_number(f.read_end) - 2; edge > known_)
        pushes_.push_back({edge, static_cast<std::uint32_t>(std::popcount(f.frame.vector))});
    if (!pushes_.empty()) sink_(pushes_);
  }
  void stretch(const Stretch& stretch) override { frames(stretch.frames()); }

  CaptureBoard board_;
  Sink sink_;
  Time program_end_ = Time::never();
  std::uint64_t written_ = 0;
  std::int64_t known_ = std::numeric_limits<std::int64_t>::min();
  std::vector<FramePush> pushes_;
};

/// A front that computes each frame from the strobes of its window and from the time at which the builder finished the
/// frame before: p = max(n + 1, p of the one before + builder cycles). Strobes are entered in any order, one stretch of
/// windows at a time. As long as no FIFO before the builder fills, only aliasing loses data. If one may have filled, a
/// BoardFront continues from the last time at which the builder was idle between two stretches.
class WindowFront final : public FramePushes {
public:
  static bool possible(const PortParams& port, const EcbParams& ecb) {
    return ecb.accumulate_bits <= port.width_bits && !ecb.wrap_frames;
  }

  WindowFront(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by, Sink sink)
      : port_(port), ecb_(ecb), reset_earlier_by_(reset_earlier_by),
        window_(static_cast<std::uint64_t>(Time{ecb.window_ns}.ps())), number_(Time{ecb.window_ns}.ps()),
        steps_(ecb.window_ns), most_steps_(steps_.most()), window_edges_(edge_number(ecb.window_ns)),
        origin_(edge_at_or_before(reset_earlier_by)),
        can_fill_(ecb.builder_cycles > window_edges_ || ecb.vector_fifo_entries < 2 || ecb.node_fifo_entries < 2),
        datum_bytes_(bytes_per_datum(port.width_bits)), lines_(static_cast<std::size_t>(ecb.inputs), ~std::uint64_t{0}),
        sink_(std::move(sink)) {}

  void write(const Burst& burst) override {
    const std::size_t n = burst.data.size() / datum_bytes_;
    if (n == 0) return;
    const auto first = static_cast<std::uint64_t>((burst.first + origin_).ps());
    const std::uint64_t k = number_(static_cast<std::int64_t>(first));
    if (k >= begin_ + windows && !board_) go_on_to(k);
    if (board_) return board_->write(burst);
    counts_.strobes += n;
    const auto spacing = static_cast<std::uint64_t>(burst.spacing.ps());
    if (can_fill_) {
      since_idle_.push_back({burst.input, n, k, first - k * window_, spacing});
      if (since_idle_.size() == most_since_idle) [[unlikely]]
        return go_on_with_board(); // bounds the memory of since_idle_
    }
    add(burst.input, n, k, first - k * window_, spacing);
  }

  void count_on_request() override { on_request_ = true; }
  void count_data() override {
    if (can_fill_ || board_) return; // data are counted already
    mark_data();
    const std::int64_t first = static_cast<std::int64_t>(begin_ + 1) * window_edges_ + built_after();
    for (FramePush& p : std::span(pushes_).first(built_))
      p.data = std::exchange(data_[static_cast<std::size_t>((p.edge - first) / window_edges_)], 0);
  }

  void finish() override {
    while (!board_ && !beyond_.empty()) go_on_to(first_beyond());
    if (!board_) emit();
    if (board_) board_->finish();
  }

  Counts counts() const override {
    Counts c = counts_;
    c.merged = c.strobes - c.aliasing - c.frames_built;
    if (!board_) return c;
    const Counts rest = board_->counts();
    c.strobes += rest.strobes;
    c.aliasing += rest.aliasing;
    c.node_overruns = rest.node_overruns;
    c.windows_lost = rest.windows_lost;
    c.discarded = rest.discarded;
    c.frames_built += rest.frames_built;
    c.merged += rest.merged;
    return c;
  }

private:
  static constexpr std::size_t windows = 1 << 14; // windows of a stretch: few enough for the first-level cache
  static constexpr std::size_t most_since_idle = 1 << 18;
  struct Run { // strobes that are still to be entered
    std::uint32_t input;
    std::size_t n;
    std::uint64_t window; // window of the first strobe, and the part of it that has passed
    std::uint64_t passed;
    std::uint64_t spacing;
  };

  // The parameters stay in registers: building a Run in memory and copying it takes as long as a few strobes.
  void add(std::uint32_t input, std::size_t n, std::uint64_t first, std::uint64_t passed, std::uint64_t spacing) {
    Run run{input, n, first, passed, spacing};
    // The first strobe may share its window with the burst before it; the others share one only if they are close
    // enough.
    std::uint64_t& last = lines_[run.input];
    while (run.n > 0 && run.window == last) {
      ++counts_.aliasing;
      --run.n;
      run.passed += run.spacing % window_;
      const bool next = run.passed >= window_;
      run.window += run.spacing / window_ + (next ? 1 : 0);
      run.passed -= next ? window_ : 0;
    }
    if (run.n == 0) return;
    marked_.emplace_back(run.input, run.n, run.window, run.passed, run.spacing);
    const auto [rest, last_marked, aliasing] =
        walk(run, [used = used_.data()](std::uint64_t i) { used[i / 64] |= std::uint64_t{1} << i % 64; });
    counts_.aliasing += aliasing;
    if (rest.n < run.n) last = last_marked;
    if (rest.n > 0) beyond_.push_back(rest);
  }
  void mark_data() {
    for (const Run& run : marked_) walk(run, [data = data_.data()](std::uint64_t i) { ++data[i]; });
  }

  struct Spacing { // spacing of the last run; most runs have the same
    std::uint64_t spacing, windows, passed;
  };
  struct Walked {
    Run rest;           // strobes beyond the stretch
    std::uint64_t last; // window of the last strobe, if there was one
    std::uint64_t aliasing;
  };
  // Calls mark(number in the stretch) for each window of the stretch in which the run has a strobe. The fast loop
  // applies if all strobes lie in the stretch and needs no comparisons; the other loop handles every other case.
  template <class Mark> [[gnu::always_inline]] Walked walk(Run run, Mark mark) {
    if (run.spacing != spacing_.spacing) spacing_ = {run.spacing, run.spacing / window_, run.spacing % window_};
    const std::uint64_t window = window_; // copies, as mark() might change any member
    const std::uint64_t begin = begin_;
    const std::uint64_t end = begin + windows;
    const std::uint64_t step = spacing_.windows;
    const std::uint64_t passed_step = spacing_.passed;
    std::uint64_t last = ~std::uint64_t{0};
    std::uint64_t aliasing = 0;
    if (step > 0 && run.n < most_steps_ && run.window + run.n * (step + 1) < end) [[likely]] {
      WindowSteps::Place at = steps_.place(run.window - begin, run.passed);
      const WindowSteps::Place by = steps_.place(step, passed_step);
      mark(at.window);
      for (; run.n > 1; --run.n) {
        WindowSteps::go_on(at, by);
        mark(at.window);
      }
      run.n = 0;
      return {run, begin + at.window, 0};
    }
    for (; run.n > 0 && run.window < end; --run.n) {
      if (run.window == last)
        ++aliasing;
      else
        mark(run.window - begin);
      last = run.window;
      run.passed += passed_step;
      const bool next = run.passed >= window;
      run.window += step + (next ? 1 : 0);
      run.passed -= next ? window : 0;
    }
    return {run, last, aliasing};
  }

  /// Moves the stretch on: no later strobe is before window `k`.
  void go_on_to(std::uint64_t k) {
    do {
      emit();
      if (board_) return;
      marked_.clear();
      begin_ = beyond_.empty() ? k : std::min(k, first_beyond());
      std::swap(beyond_, again_);
      for (const Run& run : again_) add(run.input, run.n, run.window, run.passed, run.spacing);
      again_.clear();
    } while (k >= begin_ + windows);
  }
  std::uint64_t first_beyond() const { return std::ranges::min_element(beyond_, {}, &Run::window)->window; }

  /// Pushes the frames of the stretch.
  void emit() {
    const bool all = can_fill_ ? build_in_turn() : build_at_once();
    if (!all) return go_on_with_board();
    counts_.frames_built += built_;
    if (built_ > 0) {
      last_push_ = pushes_[built_ - 1].edge;
      sink_(std::span(pushes_).first(built_));
      built_ = 0;
    }
    if (can_fill_ && taken_ + ecb_.builder_cycles <= static_cast<std::int64_t>(begin_ + windows) * window_edges_) {
      since_idle_ = beyond_;
      at_idle_ = counts_;
    }
  }
  /// Calls f(edge of the window's end, number in the stretch) for each window of the stretch that has a strobe, and
  /// empties the map. Edges count from the reset. Stops and returns false if f does.
  template <class F> bool each_window(F&& f) {
    const std::int64_t window_edges = window_edges_; // copies: as in walk()
    std::uint64_t* const used = used_.data();
    std::int64_t end = static_cast<std::int64_t>(begin_ + 1) * window_edges;
    for (std::size_t word = 0; word < used_.size(); ++word, end += 64 * window_edges) {
      std::uint64_t left = used[word];
      if (left == 0) continue;
      used[word] = 0;
      for (; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        if (!f(end + static_cast<std::int64_t>(i) * window_edges, word * 64 + i)) return false;
      }
    }
    return true;
  }
  /// Each entry is taken at the edge after its window's end (see CaptureBoard's constructor).
  bool build_at_once() {
    FramePush* to = pushes_.data();
    each_window([&to, built_after = built_after()](std::int64_t end, std::size_t) {
      *to++ = {end + built_after, 0};
      return true;
    });
    built_ = static_cast<std::size_t>(to - pushes_.data());
    if (!on_request_) count_data();
    return true;
  }
  std::int64_t built_after() const { return 1 + ecb_.builder_cycles - edge_number(origin_); }
  /// Returns false if a FIFO may have been full. Entries are taken at least builder_cycles apart, so the last one gives
  /// the largest number that may have been inside at an earlier edge.
  bool build_in_turn() {
    mark_data();
    return each_window([&](std::int64_t end, std::size_t window) {
      const auto untaken_at = [&](std::int64_t edge) {
        return taken_ < edge ? 0 : (taken_ - edge) / ecb_.builder_cycles + 1;
      };
      if (untaken_at(end) >= ecb_.vector_fifo_entries) return false;
      // A strobe of the window finds the level after the edge of the window's begin, or a later one.
      if (untaken_at(end - window_edges_ + 1) >= ecb_.node_fifo_entries) return false;
      taken_ = std::max(end + 1, taken_ + ecb_.builder_cycles);
      pushes_[built_++] = {taken_ + ecb_.builder_cycles - edge_number(origin_), std::exchange(data_[window], 0)};
      return true;
    });
  }

  void go_on_with_board() {
    board_ = std::make_unique<BoardFront>(port_, ecb_, reset_earlier_by_, sink_);
    board_->leave_out_up_to(last_push_);
    std::vector<std::uint8_t> data; // the values do not matter
    for (const Run& run : since_idle_) {
      data.resize(std::max(data.size(), run.n * datum_bytes_));
      const auto first = static_cast<std::int64_t>(run.window * window_ + run.passed);
      board_->write_ahead({run.input, Time::from_ps(first) - origin_,
                           Time::from_ps(static_cast<std::int64_t>(run.spacing)),
                           std::span(data).first(run.n * datum_bytes_)});
      counts_.strobes -= run.n;
    }
    counts_.aliasing = at_idle_.aliasing;
    counts_.frames_built = at_idle_.frames_built;
  }

  PortParams port_;
  EcbParams ecb_;
  Time reset_earlier_by_;
  std::uint64_t window_;
  Divider number_; // number of the window at a time
  WindowSteps steps_;
  std::uint64_t most_steps_;
  std::int64_t window_edges_;
  Time origin_; // at or before time 0
  bool on_request_ = false;
  bool can_fill_; // whether FIFOs before the builder can fill
  std::size_t datum_bytes_;
  Spacing spacing_{};
  std::vector<std::uint64_t> lines_; // by input: window of the last strobe
  Sink sink_;
  Counts counts_;
  std::uint64_t begin_ = 0; // first window of the stretch
  std::array<std::uint64_t, windows / 64> used_{};
  std::array<std::uint8_t, windows> data_{}; // by window; at most max_inputs
  std::vector<Run> marked_;                  // runs with a strobe in the stretch
  std::vector<Run> beyond_;                  // strobes after the stretch: at most one run for each input
  std::vector<Run> again_;
  std::vector<FramePush> pushes_ = std::vector<FramePush>(windows);
  std::size_t built_ = 0; // number of these pushes in the stretch

  // Used only if can_fill_:
  std::int64_t taken_ = -1'000'000; // edge since the reset at which the last entry was taken
  std::int64_t last_push_ = std::numeric_limits<std::int64_t>::min();
  std::vector<Run> since_idle_;       // all strobes since the builder was last idle between two stretches
  Counts at_idle_;                    // counts at that time
  std::unique_ptr<BoardFront> board_; // used once a FIFO may have been full
};

} // namespace

bool FramePushes::covers(const EcbParams& ecb) {
  return ecb.node_fifo_full == WhenFull::drop_newest && ecb.frame_fifo_full != WhenFull::stall &&
         ecb.timestamp_policy == TimestampPolicy::every;
}

std::unique_ptr<FramePushes> FramePushes::make(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by,
                                               Sink sink) {
  if (WindowFront::possible(port, ecb))
    return std::make_unique<WindowFront>(port, ecb, reset_earlier_by, std::move(sink));
  return std::make_unique<BoardFront>(port, ecb, reset_earlier_by, std::move(sink));
}

} // namespace hypermon
