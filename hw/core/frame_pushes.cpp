#include "hw/core/frame_pushes.hpp"
#include "hw/core/capture_board.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace hypermon {

namespace {

constexpr std::int64_t edge_number(Time edge) { return edge / clock_period; }

/// A front in which nothing can be lost but by aliasing: entries are always taken at the edge after their window's end
/// (see CaptureBoard's constructor), so that a frame follows from the strobes of its window alone. Strobes are entered
/// in any order, a stretch of windows at a time.
class LosslessFront final : public FramePushes {
public:
  static bool possible(const PortParams& port, const EcbParams& ecb) {
    return cycles(ecb.builder_cycles) <= Time::from_ns(ecb.window_ns) && ecb.vector_fifo_entries >= 2 &&
           ecb.node_fifo_entries >= 2 && ecb.accumulate_bits <= port.width_bits && !ecb.wrap_frames;
  }

  LosslessFront(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by, Sink sink)
      : window_(static_cast<std::uint64_t>(Time::from_ns(ecb.window_ns).ps())),
        window_edges_(edge_number(Time::from_ns(ecb.window_ns))), origin_(edge_at_or_before(reset_earlier_by)),
        built_after_(1 + ecb.builder_cycles - edge_number(origin_)), datum_bytes_(bytes_per_datum(port.width_bits)),
        lines_(static_cast<std::size_t>(ecb.inputs), ~std::uint64_t{0}), sink_(std::move(sink)) {
    pushes_.reserve(windows);
  }

  void write(const Burst& burst) override {
    const std::size_t n = burst.data.size() / datum_bytes_;
    if (n == 0) return;
    counts_.strobes += n;
    const auto first = static_cast<std::uint64_t>((burst.first + origin_).ps());
    const std::uint64_t k = first / window_;
    if (k >= begin_ + windows) go_on_to(k);
    add({burst.input, n, k, first - k * window_, static_cast<std::uint64_t>(burst.spacing.ps())});
  }

  void finish() override {
    while (!beyond_.empty()) go_on_to(first_beyond());
    emit();
  }

  Counts counts() const override {
    Counts c = counts_;
    c.merged = c.strobes - c.aliasing - c.frames_built;
    return c;
  }

private:
  static constexpr std::size_t windows = 1 << 14; // of a stretch: few enough for the first cache
  struct Run {                                    // strobes that are still to be entered
    std::uint32_t input;
    std::size_t n;
    std::uint64_t window; // of the first, and how much of it has passed
    std::uint64_t passed;
    std::uint64_t spacing;
  };

  void add(Run run) {
    std::uint64_t& last = lines_[run.input];
    const std::uint64_t step = run.spacing / window_;
    const std::uint64_t passed_step = run.spacing - step * window_;
    const std::uint64_t end = begin_ + windows;
    std::uint64_t k = run.window;
    std::uint64_t passed = run.passed;
    std::size_t n = run.n;
    const auto go_on = [&] {
      passed += passed_step;
      const bool next = passed >= window_;
      k += step + (next ? 1 : 0);
      passed -= next ? window_ : 0;
    };
    // The first may share its window with the burst before it, the others with theirs only if they are that close.
    if (k == last) {
      ++counts_.aliasing;
      --n;
      go_on();
    }
    if (step > 0) {
      for (; n > 0 && k < end; --n) {
        mark(k);
        last = k;
        go_on();
      }
    } else {
      for (; n > 0 && k < end; --n) {
        if (k == last)
          ++counts_.aliasing;
        else
          mark(k);
        last = k;
        go_on();
      }
    }
    if (n > 0) beyond_.push_back({run.input, n, k, passed, run.spacing});
  }

  void mark(std::uint64_t k) {
    const std::uint64_t i = k - begin_;
    used_[i / 64] |= std::uint64_t{1} << i % 64;
    ++data_[i];
  }

  /// No strobe that is still to be written is before window `k`.
  void go_on_to(std::uint64_t k) {
    do {
      emit();
      begin_ = beyond_.empty() ? k : std::min(k, first_beyond());
      std::swap(beyond_, again_);
      for (const Run& run : again_) add(run);
      again_.clear();
    } while (k >= begin_ + windows);
  }
  std::uint64_t first_beyond() const { return std::ranges::min_element(beyond_, {}, &Run::window)->window; }

  void emit() {
    const std::int64_t push = static_cast<std::int64_t>(begin_ + 1) * window_edges_ + built_after_;
    for (std::size_t word = 0; word < used_.size(); ++word) {
      for (std::uint64_t left = used_[word]; left != 0; left &= left - 1) {
        const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        pushes_.push_back({push + static_cast<std::int64_t>(i) * window_edges_, data_[i]});
        data_[i] = 0;
      }
      used_[word] = 0;
    }
    counts_.frames_built += pushes_.size();
    if (!pushes_.empty()) sink_(pushes_);
    pushes_.clear();
  }

  std::uint64_t window_;
  std::int64_t window_edges_;
  Time origin_;              // before time 0
  std::int64_t built_after_; // edges from a window's end to its frame's push; and to the board's clock
  std::size_t datum_bytes_;
  std::vector<std::uint64_t> lines_; // by input: the window of its last strobe
  Sink sink_;
  Counts counts_;
  std::uint64_t begin_ = 0; // first window of the stretch
  std::array<std::uint64_t, windows / 64> used_{};
  std::array<std::uint8_t, windows> data_{}; // by window; at most max_inputs
  std::vector<Run> beyond_;                  // strobes after the stretch: one run of an input at most
  std::vector<Run> again_;
  std::vector<FramePush> pushes_;
};

/// Any other front: a board whose reader needs one cycle for a frame, so that a frame pushed at edge f has been read at
/// f + 2 exactly, and its frame FIFO never holds more than two.
class BoardFront final : public FramePushes, private FrameSink {
public:
  BoardFront(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by, Sink sink)
      : board_(port, roomy(ecb), fastest(), ReaderParams{}), sink_(std::move(sink)) {
    board_.reset_earlier_by(reset_earlier_by);
    board_.deliver_to(this);
  }

  void write(const Burst& burst) override {
    if (++written_ % bursts_at_once == 0) board_.advance(burst.first);
    board_.write(burst);
  }
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
    ecb.frame_fifo_full = "drop";
    return ecb;
  }
  static PbxParams fastest() {
    static_assert(FrameFormat::max_words < 50, "a frame must be read within a clock period");
    return {.word_ns = 1};
  }

  void frames(std::span<const DeliveredFrame> frames) override {
    pushes_.clear();
    for (const DeliveredFrame& f : frames)
      pushes_.push_back({edge_number(f.read_end) - 2, static_cast<std::uint32_t>(std::popcount(f.frame.vector))});
    sink_(pushes_);
  }
  void stretch(const Stretch& stretch) override { frames(stretch.frames()); }

  CaptureBoard board_;
  Sink sink_;
  std::uint64_t written_ = 0;
  std::vector<FramePush> pushes_;
};

} // namespace

bool FramePushes::covers(const EcbParams& ecb) {
  return ecb.node_fifo_full == "drop" && ecb.frame_fifo_full != "stall" && ecb.timestamp_policy == "every";
}

std::unique_ptr<FramePushes> FramePushes::of(const PortParams& port, const EcbParams& ecb, Time reset_earlier_by,
                                             Sink sink) {
  if (LosslessFront::possible(port, ecb))
    return std::make_unique<LosslessFront>(port, ecb, reset_earlier_by, std::move(sink));
  return std::make_unique<BoardFront>(port, ecb, reset_earlier_by, std::move(sink));
}

} // namespace hypermon
