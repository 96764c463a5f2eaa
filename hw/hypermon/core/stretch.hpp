// SPDX-License-Identifier: BSD-3-Clause
// A stretch of windows whose frames were read, as runs of strobes. Strobes of lost frames are left out. frames()
// derives the frames from the runs; a caller that does not need single frames saves that work.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/core/window_map.hpp"
#include <cstring>
#include <span>
#include <vector>

namespace hypermon {

/// `n` strobes of one input, all in different windows; datum i (datum_bytes each) is at data + i * datum_bytes.
struct StrobeRun {
  std::uint32_t input;
  std::size_t n;
  const std::uint8_t* data;
  Time first; ///< time since the board's last reset
  Time spacing;
  std::uint64_t sequence; ///< number of the first strobe
};

class Stretch {
public:
  struct Layout { // parameters of the board
    Time window;
    std::size_t datum_bytes;
    std::uint32_t datum_mask;
    std::uint64_t timestamp_mask;
    /// Number of the window (since the reset) of strobe i of a run, and its datum.
    std::uint64_t window_of(const StrobeRun& run, std::size_t i) const {
      return static_cast<std::uint64_t>((run.first + run.spacing * static_cast<std::int64_t>(i)) / window);
    }
    std::uint32_t datum(const StrobeRun& run, std::size_t i) const {
      std::uint32_t value = 0;
      std::memcpy(&value, run.data + i * datum_bytes, datum_bytes);
      return value & datum_mask;
    }
  };
  /// `first_window` is window 0 of `map`, and begins at `begin`. All must outlive the stretch.
  Stretch(const Layout& layout, std::span<const StrobeRun> runs, const WindowMap& map, std::uint64_t first_window,
          std::size_t windows, Time begin)
      : layout_(layout), runs_(runs), map_(&map), first_window_(first_window), windows_(windows), begin_(begin),
        frame_count_(map.used_between(0, windows)) {}

  /// In the order of inputs; those of one input in the order of time.
  std::span<const StrobeRun> runs() const { return runs_; }
  std::uint64_t window(const StrobeRun& run, std::size_t i) const { return layout_.window_of(run, i); }
  std::uint32_t datum(const StrobeRun& run, std::size_t i) const { return layout_.datum(run, i); }
  std::size_t datum_bytes() const { return layout_.datum_bytes; }
  /// Time at which the frame of a window that has a strobe had been read.
  Time read_end(std::uint64_t window) const { return map_->end(window - first_window_); }
  /// The windows are [first_window(), end_window()).
  std::uint64_t first_window() const { return first_window_; }
  std::uint64_t end_window() const { return first_window_ + windows_; }
  std::uint64_t frame_count() const { return frame_count_; }
  /// Window of the last frame. There must be one.
  std::uint64_t last_window() const { return first_window_ + map_->last_used(windows_); }
  /// Begin of a window, in true time.
  Time begin_of(std::uint64_t window) const {
    return begin_ + layout_.window * static_cast<std::int64_t>(window - first_window_);
  }
  Time window_length() const { return layout_.window; }
  /// Time before which the data of the window's frame were strobed.
  Time strobed_before(std::uint64_t window) const { return begin_of(window + 1); }
  /// Number of windows in [from, to) with a frame.
  std::uint64_t frames_between(std::uint64_t from, std::uint64_t to) const {
    return map_->used_between(from - first_window_, to - first_window_);
  }

  /// All frames, in order.
  std::vector<DeliveredFrame> frames() const;

private:
  Layout layout_;
  std::span<const StrobeRun> runs_;
  const WindowMap* map_;
  std::uint64_t first_window_;
  std::size_t windows_;
  Time begin_;
  std::uint64_t frame_count_;
};
static_assert(std::endian::native == std::endian::little, "data lie in bursts with the least significant byte first");

/// Receives the frames that a board's reader has read, in order.
class FrameSink {
public:
  virtual ~FrameSink() = default;
  virtual void frames(std::span<const DeliveredFrame> frames) = 0;
  /// `stretch` is valid during the call.
  virtual void stretch(const Stretch& stretch) = 0;
};

} // namespace hypermon
