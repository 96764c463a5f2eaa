// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/stretch.hpp"

namespace hypermon {

std::vector<DeliveredFrame> Stretch::frames() const {
  const WindowMap::Ranks ranks(*map_, windows_);
  std::vector<DeliveredFrame> all(frame_count_);
  for (const StrobeRun& run : runs_)
    for (std::size_t i = 0; i < run.n; ++i) {
      const std::uint64_t k = window(run, i);
      DeliveredFrame& f = all[ranks[k - first_window_]];
      f.frame.vector |= 1u << run.input;
      f.frame.timestamp = k & layout_.timestamp_mask;
      f.frame.data[run.input] = datum(run, i);
      f.read_end = read_end(k);
      f.captured = begin_of(k);
    }
  return all;
}

} // namespace hypermon
