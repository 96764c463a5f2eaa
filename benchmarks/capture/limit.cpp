// SPDX-License-Identifier: BSD-3-Clause
// The limit that hypermon.capture() is measured against: the tightest loop for one purpose, the prototype (W = 800 ns,
// 16 inputs, 8 cycles, 1024 frames, 800 ns a word, ideal reader), on the same arrays. Nothing is checked.
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

struct Counts {
  std::int64_t frames_built, frames_lost, merged, aliasing, peak_frame_fifo, drained, end_ns;
};

constexpr std::int64_t window = 800;       // ns
constexpr std::int64_t to_push = 50 + 400; // time from the window's end to the push
constexpr std::int64_t frame_time = 3200;  // four words
constexpr std::int64_t depth = 1024;

} // namespace

extern "C" void capture_limit(const std::int64_t* time_ns, const std::uint8_t* node, std::size_t n, Counts* counts) {
  constexpr std::int64_t long_ago = -(std::int64_t{1} << 60);
  std::int64_t window_end = 0;
  std::int64_t read_end = long_ago;
  std::int64_t backlog = long_ago;
  std::int64_t built = 0;
  std::int64_t lost = 0;
  std::int64_t aliasing = 0;
  std::uint32_t vector = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t bit = 1u << node[i];
    if (time_ns[i] < window_end) {
      aliasing += (vector & bit) != 0 ? 1 : 0;
      vector |= bit;
      continue;
    }
    vector = bit;
    window_end = static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ns[i]) / window + 1) * window;
    const std::int64_t push = window_end + to_push;
    ++built;
    if (read_end - push >= (depth - 1) * frame_time) {
      ++lost;
      continue;
    }
    backlog = std::max(backlog, read_end - push);
    read_end = std::max(push + 50, read_end) + frame_time;
  }
  const std::int64_t others = backlog > 0 ? (backlog - 1) / frame_time + 1 : 0;
  *counts = {built,
             lost,
             static_cast<std::int64_t>(n) - aliasing - built,
             aliasing,
             built > lost ? others + 1 : 0,
             built - lost,
             built > lost ? read_end : 0};
}
