// SPDX-License-Identifier: BSD-3-Clause
// What hw/hypermon/core/stretch.hpp offers to the decoder, made of an emission instead of a board's calendar.
#pragma once
#include "tests/monitors/hypermon/decoding/stream.hpp"
#include <deque>

namespace hypermon::test {

struct FakeStretch {
  struct Run {
    std::uint32_t input;
    std::size_t n;
    const std::uint8_t* data;
    Time first;
    Time spacing;
  };

  std::span<const Run> runs() const { return runs_; }
  std::uint64_t window(const Run& run, std::size_t i) const {
    return static_cast<std::uint64_t>((run.first + run.spacing * static_cast<std::int64_t>(i)) / window_);
  }
  std::uint32_t datum(const Run& run, std::size_t i) const {
    std::uint32_t value = 0;
    std::memcpy(&value, run.data + i * bytes_, bytes_);
    return value & ~std::uint32_t{0} >> (32 - format_.data_bits());
  }
  Time read_end(std::uint64_t window) const { return window_ * static_cast<std::int64_t>(window + 1); }
  Time strobed_before(std::uint64_t window) const { return read_end(window); }
  std::uint64_t end_window() const { return end_; }
  std::uint64_t frame_count() const { return frames_.size(); }
  std::vector<DeliveredFrame> frames() const { return frames_; }

  /// The words in windows [first, end), as runs of neighbours on one node with the same spacing.
  FakeStretch(const std::vector<Datum>& words, const FrameFormat& format, Time window, std::uint64_t first,
              std::uint64_t end)
      : format_(format), window_(window), end_(end) {
    std::vector<std::vector<Datum>> by_input(format.inputs());
    std::vector<Datum> inside;
    for (const Datum& d : words) {
      const auto k = static_cast<std::uint64_t>(d.strobe / window);
      if (k < first || k >= end) continue;
      by_input[d.node].push_back(d);
      inside.push_back(d);
    }
    frames_ = frames_of(inside, window, format);
    for (const auto& data : by_input)
      for (std::size_t i = 0; i < data.size();) i += add_run(std::span(data).subspan(i));
  }

private:
  std::size_t add_run(std::span<const Datum> data) {
    std::size_t n = 1;
    while (n < data.size() && !data[n].flagged && data[n].sequence == data[0].sequence + n &&
           data[n].strobe - data[n - 1].strobe == data[1].strobe - data[0].strobe)
      ++n;
    auto& bytes = bytes_of_runs_.emplace_back(n * bytes_);
    for (std::size_t i = 0; i < n; ++i) {
      // Bits beyond the datum's own must be ignored.
      const std::uint32_t value = format_.data_bits() == 4 ? data[i].value | 0xA0U : data[i].value;
      std::memcpy(&bytes[i * bytes_], &value, bytes_);
    }
    runs_.push_back({data[0].node, n, bytes.data(), data[0].strobe, n > 1 ? data[1].strobe - data[0].strobe : 1_us});
    return n;
  }

  FrameFormat format_;
  Time window_;
  std::uint64_t end_;
  std::size_t bytes_ = (format_.data_bits() + 7) / 8;
  std::vector<Run> runs_;
  std::deque<std::vector<std::uint8_t>> bytes_of_runs_;
  std::vector<DeliveredFrame> frames_;
};

} // namespace hypermon::test
