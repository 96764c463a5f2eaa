// SPDX-License-Identifier: BSD-3-Clause
// Unwraps the timestamps of a board's frames: converts k mod 2^bits to the number k of the window (spec sec. 6).
//
// Frames come in the order of their windows, and no two have the same window. So a timestamp stands for the first
// window with those bits after the previous frame. That is wrong after a silence of more than 2^bits windows (unless an
// empty frame marks every wrap), and the frames alone do not show it. The time at which a frame had been read gives an
// upper bound of its window. If a later window with the same timestamp would fit as well, the silence is *ambiguous*:
// it is counted, and the earliest window is used. So no wrap is missed silently, but if reading lags by more than
// 2^bits windows, silences that are not ambiguous look so. A silence counts as ambiguous if it raises the total number
// of wraps that may have been missed.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace hypermon {

struct AmbiguousSilences {
  std::uint64_t count = 0;
  /// number of the frame after the first such silence, from 0; the windows of later frames may be
  std::uint64_t first_frame = 0;
  ///< too early by multiples of 2^bits
  bool operator==(const AmbiguousSilences&) const = default;
};

/// Frames whose timestamps are later than their reading. No node wrote their contents.
struct ImpossibleFrames {
  std::uint64_t count = 0;
  std::uint64_t first_frame = 0; ///< number of the first such frame, from 0
};

class WindowUnwrapper {
public:
  /// `wrap_frames`: an empty frame marks every wrap, so no silence is ambiguous. `skew`: the board may have begun to
  /// count windows by that much before time 0.
  WindowUnwrapper(std::size_t timestamp_bits, Time window, bool wrap_frames, Time skew = {})
      : mask_(~std::uint64_t{0} >> (64 - timestamp_bits)), window_(window), skew_(skew) {
    const bool finite =
        !wrap_frames && mask_ < static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / window.ps());
    if (finite) wrap_ = window * static_cast<std::int64_t>(mask_ + 1);
  }

  /// The next frame's window; without a timestamp, the earliest possible one.
  std::uint64_t peek(const EventFrame& frame) const {
    return frame.stamped ? next_ + ((frame.timestamp - next_) & mask_) : next_;
  }
  std::uint64_t take(const EventFrame& frame) {
    const std::uint64_t window = peek(frame);
    next_ = window + 1;
    return window;
  }
  /// First possible window of the next frame.
  std::uint64_t next() const { return next_; }
  /// Skips to window `next`. The `frames` frames before it were processed without take().
  void go_to(std::uint64_t next, std::uint64_t frames) {
    next_ = next;
    frames_ += frames;
  }

  /// Number of frames passed to check() and go_to().
  std::uint64_t frames() const { return frames_; }
  /// True if the next frame, which has the number `number`, cannot come from the board. It then counts as impossible
  /// and must not be taken.
  bool impossible(const DeliveredFrame& f, std::uint64_t number) {
    if (!f.frame.stamped || begin_of(peek(f.frame)) <= f.read_end + skew_) [[likely]]
      return false;
    if (impossible_.count++ == 0) impossible_.first_frame = number;
    return true;
  }
  const ImpossibleFrames& impossible() const { return impossible_; }

  /// The board was reset: window 0 begins at `origin`. The counts of ambiguous silences remain.
  void restart(Time origin) {
    origin_ = origin;
    next_ = 0;
    missed_ = 0;
  }

  /// Call with frames before they are taken: counts ambiguous silences.
  void check(std::span<const DeliveredFrame> frames) {
    if (wrap_ && !frames.empty()) {
      // Upper bound for all frames: the last frame's reading time with the first frame's window.
      const std::int64_t most = late(frames.back(), peek(frames.front().frame));
      if (most > missed_) [[unlikely]]
        check_each(frames);
    }
    frames_ += frames.size();
  }
  const AmbiguousSilences& ambiguous() const { return ambiguous_; }

private:
  Time begin_of(std::uint64_t window) const { // or never()
    constexpr auto last = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return window < last / static_cast<std::uint64_t>(window_.ps()) / 2
               ? origin_ + window_ * static_cast<std::int64_t>(window)
               : Time::never();
  }
  // Number of wraps that fit between the end of the window, shifted back by the skew, and the end of reading.
  std::int64_t late(const DeliveredFrame& f, std::uint64_t window) const {
    return (f.read_end + skew_ - origin_ - window_ * static_cast<std::int64_t>(window + 1)) / *wrap_;
  }
  void check_each(std::span<const DeliveredFrame> frames) {
    WindowUnwrapper ahead = *this;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const std::uint64_t window = ahead.take(frames[i].frame);
      if (!frames[i].frame.stamped || late(frames[i], window) <= missed_) continue;
      missed_ = late(frames[i], window);
      if (ambiguous_.count++ == 0) ambiguous_.first_frame = frames_ + i;
    }
  }

  std::uint64_t mask_;
  Time window_;
  Time skew_;
  Time origin_{};
  std::optional<Time> wrap_; // none: never ambiguous
  std::uint64_t next_ = 0;
  std::uint64_t frames_ = 0;
  std::int64_t missed_ = 0; // wraps that may have been missed
  AmbiguousSilences ambiguous_;
  ImpossibleFrames impossible_;
};

} // namespace hypermon
