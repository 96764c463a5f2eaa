// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/sweep/limit.hpp"
#include <array>
#include <bit>

namespace hypermon::benchmark {

namespace {

constexpr std::uint64_t window = 800'000; // ps
constexpr std::int64_t window_edges = 16;
constexpr std::int64_t frame_edges = 64;
constexpr std::int64_t full = 1023 * frame_edges; // backlog that a push finds when 1024 frames are inside
constexpr std::int64_t built_after = window_edges + 1 + 8;
constexpr std::uint64_t windows = 1 << 17; // a ring of them, in words; more than a burst's length ahead is never marked

struct Loop {
  LimitCounts counts;
  std::array<std::uint64_t, windows / 64> used{};
  std::uint64_t done = 0; // words of the map, since time 0
  std::int64_t free = 0;  // edge at which all that was pushed has been read
  std::int64_t most = -1;

  void read_until(std::uint64_t word) {
    // More than a whole ring of silence is empty.
    const std::uint64_t last = std::min(word, done + windows / 64);
    std::int64_t until = free;
    std::int64_t backlog = most;
    for (; done < last; ++done) {
      std::uint64_t& bits = used[done % (windows / 64)];
      if (bits == 0) continue;
      counts.frames_built += static_cast<std::uint64_t>(std::popcount(bits));
      const std::int64_t first = static_cast<std::int64_t>(done * 64) * window_edges + built_after;
      for (; bits != 0; bits &= bits - 1) {
        const std::int64_t push = first + std::countr_zero(bits) * window_edges;
        const std::int64_t found = until - push;
        if (found >= full) [[unlikely]] {
          ++counts.frames_lost;
          continue;
        }
        backlog = std::max(backlog, found);
        until = std::max(push + 1, until) + frame_edges;
      }
    }
    done = word;
    free = until;
    most = backlog;
  }
};

} // namespace

LimitCounts limit(std::span<const BurstRows> batches) {
  Loop loop;
  for (const BurstRows& rows : batches)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto at = static_cast<std::uint64_t>(rows.first_ps[i]);
      const auto n = static_cast<std::uint64_t>(rows.offsets[i + 1] - rows.offsets[i]);
      const auto spacing = static_cast<std::uint64_t>(rows.spacing_ps[i]);
      loop.counts.strobes += n;
      if (const std::uint64_t word = at / (64 * window); word >= loop.done + 256) loop.read_until(word);
      for (std::uint64_t left = n; left > 0; --left, at += spacing) {
        const std::uint64_t k = at / window;
        loop.used[k / 64 % (windows / 64)] |= std::uint64_t{1} << k % 64;
      }
    }
  loop.read_until(loop.done + windows / 64);
  LimitCounts& c = loop.counts;
  c.merged = c.strobes - c.frames_built;
  c.peak = c.frames_lost > 0 ? 1024 : loop.most < 0 ? 1 : (loop.most + frame_edges - 1) / frame_edges + 1;
  c.end_ps = loop.free * 50'000;
  return c;
}

} // namespace hypermon::benchmark
