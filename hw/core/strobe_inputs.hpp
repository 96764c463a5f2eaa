// The board's inputs: bursts that were written and are not yet sampled, in the order of their strobes.
#pragma once
#include "hw/core/burst.hpp"
#include "hw/core/frame.hpp"
#include "hw/core/queues.hpp"
#include <vector>

namespace hypermon {

/// Hands out the strobes of all inputs in the order of their times.
///
/// Inputs within a burst run: they form a circular list in the order of their next strobe. Streams of equal
/// pitch take turns, so that a strobe is usually followed by a mere turn of the list. Inputs whose burst lies
/// ahead wait in a row of their own; when the time of its first strobe comes, an input is the list's front.
class StrobeInputs {
public:
  struct Input {
    Time time;                        ///< of the next strobe
    Time spacing;                     ///< from this strobe to the next, within the burst
    const std::uint8_t* datum = {};   ///< of the next strobe
    const std::uint8_t* burst_end{};  ///< one past the burst's last datum
    Input* next = nullptr;            ///< in the circular list of those that run
    std::uint32_t bit = 0;            ///< in the strobe vector
    std::uint32_t index = 0;          ///< number of the input
    std::uint32_t shift = 0;          ///< of its datum in a frame
    const std::uint8_t* sampled = {}; ///< of the last strobe that entered a window, while the buffer stays
    std::uint64_t level = 0;          ///< node FIFO level; kept where it can fill (FrameBuilder)

    /// Sequence numbers of the next strobe and of the last that entered a window: 0, 1, 2, ...
    std::uint64_t sequence() const { return sequence_of(datum); }
    std::uint64_t sampled_sequence() const { return sampled != nullptr ? sequence_of(sampled) : sampled_before_; }

  private:
    friend class StrobeInputs;
    bool runs() const { return datum != burst_end; }
    void take_waiting() {
      if (waiting_.empty()) return;
      const Waiting burst = waiting_.front();
      waiting_.pop();
      time = burst.first;
      spacing = burst.spacing;
      burst_end = datum + burst.size;
    }
    std::uint64_t sequence_of(const std::uint8_t* d) const {
      return first_sequence_ + static_cast<std::uint64_t>(d - buffer_.data());
    }
    struct Waiting {
      Time first;
      Time spacing;
      std::size_t size;
    };
    std::uint64_t first_sequence_ = 0; // of buffer_[0]
    std::uint64_t sampled_before_ = 0; // sampled_sequence() when the buffer last moved
    std::vector<std::uint8_t> buffer_; // data of the current burst and of those that wait
    std::size_t filled_ = 0;
    Ring<Waiting> waiting_; // bursts after the current one
    Time last_;             // strobe of all that were written
  };

  explicit StrobeInputs(std::size_t inputs);
  StrobeInputs(const StrobeInputs&) = delete;
  StrobeInputs& operator=(const StrobeInputs&) = delete;

  /// Copies the data. The burst's first strobe is not before the input's last one.
  void write(const Burst& burst);

  /// Strobes before `horizon` are wanted.
  void set_horizon(Time horizon) { limit_ = std::min(horizon_ = horizon, next_start()); }
  /// The input with the earliest strobe before the horizon, or null.
  Input* earliest() {
    if (tail_ != nullptr && front().time < limit_) [[likely]]
      return &front();
    return start_due();
  }
  /// The strobe of earliest(), `in`, has been dealt with.
  void pop(Input& in) {
    if (++in.datum == in.burst_end) [[unlikely]]
      return next_burst();
    in.time += in.spacing;
    if (in.time >= tail_->time) [[likely]]
      tail_ = &in;
    else
      reorder_front();
  }

  // In bulk, out of order: where each strobe has a window for itself, nothing depends on the order.
  /// Time of the earliest strobe; never() if there is none.
  Time first_strobe() const { return std::min(tail_ != nullptr ? tail_->next->time : Time::never(), next_start()); }
  /// Strobes of one input are at least `distance` apart and those of all bursts that start before `end` together at
  /// most `most`.
  bool apart(Time end, Time distance, std::size_t most) const;
  /// Calls f(input, n) for runs of n strobes, from input.time on, that are together all before `end`.
  template <class F> void take_before(Time end, F&& f) {
    tail_ = nullptr;
    starting_.clear();
    for (Input& in : inputs_) {
      while (in.runs() && in.time < end) {
        const auto n = std::min(static_cast<std::size_t>(in.burst_end - in.datum),
                                static_cast<std::size_t>((end - in.time - 1_ps) / in.spacing + 1));
        f(std::as_const(in), n);
        in.datum += n;
        in.sampled = in.datum - 1;
        in.time += in.spacing * static_cast<std::int64_t>(n);
        if (!in.runs()) in.take_waiting();
      }
      if (in.runs()) start_later(in);
    }
  }

  std::size_t size() const { return inputs_.size(); }
  Input& operator[](std::size_t i) { return inputs_[i]; }
  const Input& operator[](std::size_t i) const { return inputs_[i]; }

private:
  Input& front() { return *tail_->next; }
  Time next_start() const { return starting_.empty() ? Time::never() : starting_.back()->time; }
  Input* start_due();
  void next_burst();
  void reorder_front();
  void start_later(Input& in);
  static void make_room(Input& in, std::size_t size);

  std::vector<Input> inputs_;
  Input* tail_ = nullptr;        // the running input whose next strobe is the latest; its `next` is the front
  std::vector<Input*> starting_; // latest first
  Time horizon_;
  Time limit_; // the horizon, or the first strobe of a burst that does not run yet
};

} // namespace hypermon
