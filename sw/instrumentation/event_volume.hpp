// SPDX-License-Identifier: BSD-3-Clause
// Volume of event data over time: bytes of software records by the time of their emission, in intervals of a
// millisecond (HYPERMON figure 14). The software monitor's format is used under every monitor, so that equal events
// count equally.
#pragma once
#include "base/field.hpp"
#include "base/text_file.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

struct BurstsParams {
  bool keep_series = false;
};

/// Needs memory only for the intervals in which events can still be emitted, not for the whole run.
class EventVolume {
public:
  static constexpr Time interval = 1_ms;   // HYPERMON figure 14
  static constexpr std::size_t burst = 20; // intervals of a burst (sec. 6)

  /// Also writes each interval with event data to a CSV file. Call before add().
  void keep_series(const std::filesystem::path& path) {
    series_ = std::make_unique<GrowingText>(path);
    series_->add("interval_ms,bytes\n");
  }

  /// Adds an event that is emitted at `at`, which must not be before the last horizon.
  void add(Time at, std::uint32_t bytes) {
    const auto i = static_cast<std::size_t>(at / interval - first_open_);
    if (i >= open_.size()) [[unlikely]]
      open_to(at, i + 1);
    open_[i] += bytes;
  }
  /// No later event will be before `horizon`.
  void advance(Time horizon) {
    const std::int64_t end = horizon / interval;
    const auto over = static_cast<std::size_t>(std::clamp<std::int64_t>(end - first_open_, 0, std::ssize(open_)));
    for (std::size_t i = 0; i < over; ++i) settle(first_open_ + static_cast<std::int64_t>(i), open_[i]);
    open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(over));
    first_open_ = std::max(first_open_, end);
  }
  /// No more events follow.
  void finish() {
    advance(interval * (first_open_ + std::ssize(open_)));
    if (series_) series_->close();
  }

  // After finish():
  std::uint64_t total() const { return total_; }
  /// Largest number of bytes in one interval, and in `burst` consecutive intervals.
  std::uint64_t most_in_interval() const { return most_in_interval_; }
  std::uint64_t most_in_burst() const { return most_in_burst_; }

private:
  void open_to(Time at, std::size_t size) {
    if (at < interval * first_open_)
      throw std::logic_error("internal error: an event that begins at " + std::to_string(at.seconds()) +
                             " s, when none was to come before " + std::to_string((interval * first_open_).seconds()));
    open_.resize(size);
  }
  void settle(std::int64_t i, std::uint64_t bytes) {
    if (bytes == 0) return;
    for (; !recent_.empty() && recent_.front().first <= i - static_cast<std::int64_t>(burst); recent_.pop_front())
      in_recent_ -= recent_.front().second;
    recent_.emplace_back(i, bytes);
    in_recent_ += bytes;
    total_ += bytes;
    most_in_interval_ = std::max(most_in_interval_, bytes);
    most_in_burst_ = std::max(most_in_burst_, in_recent_);
    if (series_) series_->add(i, ',', bytes, '\n');
  }

  std::int64_t first_open_ = 0;                               // number of the first interval that is not complete
  std::vector<std::uint32_t> open_;                           // bytes in each interval from that one on
  std::deque<std::pair<std::int64_t, std::uint64_t>> recent_; // intervals with data among the last `burst`
  std::uint64_t in_recent_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t most_in_interval_ = 0;
  std::uint64_t most_in_burst_ = 0;
  std::unique_ptr<GrowingText> series_;
};

constexpr auto fields_of(const BurstsParams*) {
  return fields(
      Field{"keep_series", &BurstsParams::keep_series, any_value(), "",
            "Write the event data volume of every interval of 1 ms that has events to bursts.csv in the run directory.",
            "chosen; HYPERMON fig. 14 shows such a series"});
}
static_assert(all_members_described<BurstsParams>());

} // namespace hypermon
