// SPDX-License-Identifier: BSD-3-Clause
// The board's inputs: bursts that were written but not yet sampled, in the order of their strobes.
#pragma once
#include "base/queues.hpp"
#include "hw/hypermon/core/burst.hpp"
#include <cstddef>
#include <memory>
#include <vector>

namespace hypermon {

/// Hands out the strobes of all inputs in the order of their times.
///
/// Inputs within a burst form a circular list in the order of their next strobes. Streams of equal spacing alternate,
/// so that after a strobe it usually suffices to advance the list by one. Inputs whose burst has not begun wait in
/// starting_; at the time of the first strobe such an input becomes the front of the list.
class StrobeInputs {
public:
  struct Input {
    Time time;                       ///< time of the next strobe
    Time spacing;                    ///< time from this strobe to the next, within the burst
    const std::uint8_t* datum = {};  ///< datum of the next strobe
    const std::uint8_t* burst_end{}; ///< one past the burst's last datum
    Input* next = nullptr;           ///< next input in the circular list
    std::uint32_t index = 0;         ///< number of the input
    bool flagged = false;            ///< the next datum requests a timestamp
    bool held = false;               ///< the next strobe waits for room (hold())
    Time last;                       ///< time of the last strobe that was processed

    bool runs() const { return datum != burst_end; }

  private:
    friend class StrobeInputs;
    void take_waiting() {
      if (waiting_.empty()) return;
      const Waiting burst = waiting_.front();
      waiting_.pop();
      time = std::max(burst.first, last);
      spacing = burst.spacing;
      burst_end = datum + burst.bytes;
      flagged = burst.flag_first;
    }
    struct Waiting {
      Time first;
      Time spacing;
      std::size_t bytes;
      bool flag_first;
    };
    /// The rest of the current burst.
    Waiting current() const { return {time, spacing, static_cast<std::size_t>(burst_end - datum), flagged}; }
    std::uint64_t first_sequence_ = 0;       // sequence number of buffer_[0]
    std::unique_ptr<std::uint8_t[]> buffer_; // data of the current burst and of those that wait
    std::size_t capacity_ = 0;
    std::size_t filled_ = 0;
    Ring<Waiting> waiting_; // bursts after the current one
    Time last_written_;     // earliest time at which the next burst may begin
  };

  /// `datum_bytes`: 1, 2 or 4.
  StrobeInputs(std::size_t inputs, std::size_t datum_bytes);
  StrobeInputs(const StrobeInputs&) = delete;
  StrobeInputs& operator=(const StrobeInputs&) = delete;

  /// Copies the data. The burst's first strobe must not lie before the input's last one, as it would be without held
  /// strobes.
  void write(const Burst& burst);

  /// From now on earliest() returns strobes before `horizon`.
  void set_horizon(Time horizon) { limit_ = std::min(horizon_ = horizon, next_start()); }
  /// The input with the earliest strobe before the horizon, or null.
  Input* earliest() {
    if (tail_ != nullptr && front().time < limit_) [[likely]]
      return &front();
    return start_due();
  }
  /// The strobe of earliest(), `in`, has been processed.
  void pop(Input& in) {
    in.last = in.time;
    in.flagged = false;
    in.datum += datum_bytes_;
    if (!in.runs()) [[unlikely]]
      return next_burst();
    in.time += in.spacing;
    if (in.time >= tail_->time) [[likely]]
      tail_ = &in;
    else
      reorder_front();
  }
  /// The strobe of earliest(), `in`, cannot happen yet. earliest() does not return it again before release().
  void hold(Input& in);
  /// A held strobe happens at `time` and has been processed. The burst continues from there.
  void release(Input& in, Time time);

  std::uint32_t datum(const Input& in) const {
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < datum_bytes_; ++b) value |= std::uint32_t{in.datum[b]} << 8 * b;
    return value;
  }
  std::size_t datum_bytes() const { return datum_bytes_; }
  /// Number of the input's next strobe: 0, 1, 2, ...
  std::uint64_t sequence(const Input& in) const { return sequence(in, in.datum); }
  std::uint64_t sequence(const Input& in, const std::uint8_t* datum) const {
    return in.first_sequence_ + (static_cast<std::uint64_t>(datum - in.buffer_.get()) >> datum_shift_);
  }

  // Access in bulk, out of order: if each strobe of an input has a window of its own, no result depends on the order.
  /// Time of the earliest strobe; never() if there is none.
  Time first_strobe() const { return std::min(tail_ != nullptr ? tail_->next->time : Time::never(), next_start()); }
  /// Calls f(input, data, n, first, spacing), input by input, for runs of n strobes that are all before `end`. Stops
  /// and returns false if f does. Changes nothing. sequence(input, data) is the number of a run's first strobe.
  template <class F> bool runs_before(Time end, F&& f) const {
    for (const Input& in : inputs_) {
      if (!in.runs()) continue;
      const std::uint8_t* data = in.datum;
      Input::Waiting burst = in.current();
      for (std::size_t i = 0; burst.first < end; ++i) {
        if (!f(in, data, strobes_before(end, burst.first, burst.spacing, burst.bytes), burst.first, burst.spacing))
          return false;
        if (i == in.waiting_.size()) break;
        data += burst.bytes;
        burst = in.waiting_[i];
      }
    }
    return true;
  }
  /// The strobes before `end` have been processed. Their data stay in place until the next write().
  void drop_before(Time end);

  std::size_t size() const { return inputs_.size(); }
  Input& operator[](std::size_t i) { return inputs_[i]; }
  const Input& operator[](std::size_t i) const { return inputs_[i]; }

private:
  Input& front() { return *tail_->next; }
  Time next_start() const { return starting_.empty() ? Time::never() : starting_.back()->time; }
  std::size_t strobes_before(Time end, Time first, Time spacing, std::size_t bytes) const {
    const std::size_t all = bytes >> datum_shift_;
    if (first + spacing * static_cast<std::int64_t>(all - 1) < end) [[likely]]
      return all;
    return static_cast<std::size_t>((end - first - 1_ps) / spacing + 1);
  }
  Input* start_due();
  void next_burst();
  void reorder_front();
  void start_later(Input& in);
  static void make_room(Input& in, std::size_t bytes, std::size_t datum_bytes);

  std::size_t datum_bytes_;
  int datum_shift_; // datum_bytes_ as a power of two
  std::vector<Input> inputs_;
  Input* tail_ = nullptr;        // the running input whose next strobe is the latest; its `next` is the front
  std::vector<Input*> starting_; // latest first
  Time horizon_;
  Time limit_; // the horizon, or the first strobe of a burst that does not run yet
};

} // namespace hypermon
