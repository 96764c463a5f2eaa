// Histogram of times with logarithmic-linear buckets: 1024 buckets an octave, so that a bucket is at most 1/1024
// (< 0.1 %) of its value wide. Integer arithmetic only; at most 54 K buckets however many values.
#pragma once
#include "hw/core/time.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

class TimeHistogram {
public:
  /// `value` must not be negative.
  void add(Time value) {
    const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(value.ps()));
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    ++counts_[bucket];
    ++count_;
    max_ = std::max(max_, value);
  }

  std::uint64_t count() const { return count_; }
  /// Exact. Zero if empty.
  Time max() const { return max_; }

  /// Least value that at least a fraction `q` of all values does not exceed, as the middle of its bucket (never more
  /// than the maximum). None if empty.
  std::optional<Time> quantile(double q) const {
    if (count_ == 0) return std::nullopt;
    const auto rank =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_))));
    std::uint64_t seen = 0;
    std::size_t bucket = 0;
    while ((seen += counts_[bucket]) < std::min(rank, count_)) ++bucket;
    return std::min(max_, Time::from_ps(static_cast<std::int64_t>(middle_of(bucket))));
  }

private:
  static constexpr int octave_bits = 10;

  // Values below 2^11 have buckets of their own; above, the leading 11 bits name the bucket within the octave.
  static constexpr std::size_t bucket_of(std::uint64_t v) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(v)) - (octave_bits + 1));
    return (static_cast<std::size_t>(shift) << octave_bits) + static_cast<std::size_t>(v >> shift);
  }
  static constexpr std::uint64_t middle_of(std::size_t bucket) {
    const std::size_t octave = bucket >> octave_bits;
    if (octave < 2) return bucket;
    const std::size_t shift = octave - 1;
    return ((bucket - (shift << octave_bits)) << shift) + (std::uint64_t{1} << (shift - 1));
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  Time max_{};
};

} // namespace hypermon
