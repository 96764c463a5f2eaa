// SPDX-License-Identifier: BSD-3-Clause
// Unwraps the timestamps of a board's frames: k mod 2^bits back to the window's number k (spec sec. 6).
//
// Frames come in the order of their windows, each of another window, so a timestamp is that of the first window after
// the frame before with those bits. That is wrong after a silence of more than 2^bits windows (unless an empty frame
// marks every wrap), and the frames alone do not show it. The time at which a frame had been read does: it bounds the
// window from above. Where a later window with the same timestamp would fit too, the silence is *ambiguous*: it is
// counted, and the earliest window taken. So no wrap is missed silently, but a reader that lags by more than 2^bits
// windows makes silences look ambiguous that are none. An ambiguous silence is one that makes more missed wraps
// possible in all than there could have been before it.
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
  std::uint64_t first_frame = 0; ///< number of the frame after the first of them, from 0; from there on windows may be
                                 ///< too early by multiples of 2^bits
  bool operator==(const AmbiguousSilences&) const = default;
};

/// Frames whose timestamps say that they were captured after they had been read: what is in them nobody wrote.
struct ImpossibleFrames {
  std::uint64_t count = 0;
  std::uint64_t first_frame = 0; ///< number of the first of them, from 0
};

class WindowUnwrapper {
public:
  /// `wrap_frames`: an empty frame marks every wrap, no silence is ambiguous. `skew`: the board may have begun to count
  /// windows that much before time 0.
  WindowUnwrapper(std::size_t timestamp_bits, Time window, bool wrap_frames, Time skew = {})
      : mask_(~std::uint64_t{0} >> (64 - timestamp_bits)), window_(window), skew_(skew) {
    const bool finite =
        !wrap_frames && mask_ < static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / window.ps());
    if (finite) wrap_ = window * static_cast<std::int64_t>(mask_ + 1);
  }

  /// The next frame's window; of one without a timestamp the earliest that it can be.
  std::uint64_t peek(const EventFrame& frame) const {
    return frame.stamped ? next_ + ((frame.timestamp - next_) & mask_) : next_;
  }
  std::uint64_t take(const EventFrame& frame) {
    const std::uint64_t window = peek(frame);
    next_ = window + 1;
    return window;
  }
  /// First window in which the next frame can be.
  std::uint64_t next() const { return next_; }
  /// Frames before this window have been dealt with, `frames` of them without take().
  void go_to(std::uint64_t next, std::uint64_t frames) {
    next_ = next;
    frames_ += frames;
  }

  /// Frames that check() and go_to() were told of.
  std::uint64_t frames() const { return frames_; }
  /// The frame, the next one and the `number`-th, cannot be one of the board's: it counts as impossible, and is not to
  /// be taken.
  bool impossible(const DeliveredFrame& f, std::uint64_t number) {
    if (!f.frame.stamped || begin_of(peek(f.frame)) <= f.read_end + skew_) [[likely]]
      return false;
    if (impossible_.count++ == 0) impossible_.first_frame = number;
    return true;
  }
  const ImpossibleFrames& impossible() const { return impossible_; }

  /// The board was reset: window 0 begins at `origin`. What was ambiguous before is kept.
  void restart(Time origin) {
    origin_ = origin;
    next_ = 0;
    missed_ = 0;
  }

  /// To be called with frames before they are taken: counts ambiguous silences.
  void check(std::span<const DeliveredFrame> frames) {
    if (wrap_ && !frames.empty()) {
      // No frame is later than the last one would be in the first one's window.
      const std::int64_t most = late(frames.back(), peek(frames.front().frame));
      if (most > missed_) [[unlikely]]
        check_each(frames);
    }
    frames_ += frames.size();
  }
  const AmbiguousSilences& ambiguous() const { return ambiguous_; }

private:
  Time begin_of(std::uint64_t window) const { // or the end of time
    constexpr auto last = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return window < last / static_cast<std::uint64_t>(window_.ps()) / 2
               ? origin_ + window_ * static_cast<std::int64_t>(window)
               : Time::never();
  }
  // Wraps that fit between the window's end, as early as the skew allows, and the end of reading.
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
