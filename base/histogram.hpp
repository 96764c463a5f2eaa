// SPDX-License-Identifier: BSD-3-Clause
// Histogram of times with logarithmic-linear buckets: 1024 buckets per octave, so that the width of a bucket is at most
// 1/1024 (< 0.1 %) of its value. Integer arithmetic only; at most 54 K buckets for any number of values.
#pragma once
#include "base/time.hpp"
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
  /// Exact; zero if the histogram is empty.
  Time max() const { return max_; }

  /// Least value that at least a fraction `q` of all values does not exceed, given as the middle of its bucket but at
  /// most the maximum. None if the histogram is empty.
  std::optional<Time> quantile(double q) const {
    if (count_ == 0) return std::nullopt;
    const auto rank =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_))));
    std::uint64_t seen = 0;
    std::size_t bucket = 0;
    while ((seen += counts_[bucket]) < std::min(rank, count_)) ++bucket;
    return std::min(max_, Time::from_ps(static_cast<std::int64_t>(middle_of(bucket))));
  }

  /// Several neighbouring buckets: `count` values, which are at most `upper` (the maximum in the last bin) and at least
  /// the `upper` of the bin before.
  struct Bin {
    Time upper;
    std::uint64_t count = 0;
  };

  /// The non-empty bins, in ascending order, at the finest resolution (1024, 512, ..., 1 per octave) that needs at most
  /// `most` of them. Counts are exact, because a bin consists of whole buckets.
  std::vector<Bin> bins(std::size_t most) const {
    for (int coarser = 0;; ++coarser) {
      std::vector<Bin> found;
      std::size_t last = 0;
      for (std::size_t bucket = 0; bucket < counts_.size() && found.size() <= most; ++bucket) {
        if (counts_[bucket] == 0) continue;
        const std::size_t bin = bucket >> coarser;
        if (found.empty() || bin != last) found.push_back({end_of(((bin + 1) << coarser) - 1)});
        last = bin;
        found.back().count += counts_[bucket];
      }
      if (found.size() <= most || coarser == octave_bits) return found;
    }
  }

private:
  static constexpr int octave_bits = 10;

  // Values below 2^11 have buckets of their own; above, the leading 11 bits name the bucket within the octave.
  static constexpr std::size_t bucket_of(std::uint64_t v) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(v)) - (octave_bits + 1));
    return (static_cast<std::size_t>(shift) << octave_bits) + static_cast<std::size_t>(v >> shift);
  }
  static constexpr std::size_t shift_of(std::size_t bucket) {
    return std::max<std::size_t>(1, bucket >> octave_bits) - 1;
  }
  static constexpr std::uint64_t begin_of(std::size_t bucket) {
    const std::size_t shift = shift_of(bucket);
    return std::uint64_t{bucket - (shift << octave_bits)} << shift;
  }
  Time end_of(std::size_t bucket) const {
    const auto most = static_cast<std::uint64_t>(max_.ps());
    return Time::from_ps(static_cast<std::int64_t>(std::min(most, begin_of(bucket + 1))));
  }
  static constexpr std::uint64_t middle_of(std::size_t bucket) {
    return begin_of(bucket) + ((std::uint64_t{1} << shift_of(bucket)) >> 1);
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  Time max_{};
};

} // namespace hypermon
