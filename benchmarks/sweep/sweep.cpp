// SPDX-License-Identifier: BSD-3-Clause
// Replays of one recording, in CPU seconds: a single design beside the limit (limit.cpp) on the same rows, then 10 000
// designs in one pass: 4 windows x 50 frame FIFO depths x 50 word times; and the frontier of 50 word times.
//   benchmark_sweep [EVENTS [ROUNDS]]   of each of 8 nodes: events of 8 to 24 data at 26.14 us (spec sec. 5, delay 20),
//                                       with gaps that leave the nodes busy about as in Place
#include "benchmarks/sweep/limit.hpp"
#include "hw/hypermon/core/count_replay.hpp"
#include "hw/hypermon/core/frontier.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

using namespace hypermon;

namespace {

constexpr std::uint32_t nodes = 8;

struct Recorded {
  std::vector<std::uint16_t> node;
  std::vector<std::int64_t> first, spacing;
  std::vector<std::int32_t> offsets{0};
  std::vector<std::uint8_t> data;
  std::vector<BurstRows> batches;

  explicit Recorded(std::int64_t events) {
    constexpr Time pitch = 26140_ns;
    constexpr std::uint64_t longest_gap = 6'350'000'000; // ps
    std::mt19937_64 random(1);
    std::array<std::int64_t, nodes> next{};
    for (auto& t : next) t = static_cast<std::int64_t>(random() % longest_gap);
    for (std::int64_t left = events * nodes; left > 0; --left) {
      const auto at = std::ranges::min_element(next);
      const auto n = static_cast<std::int64_t>(8 + random() % 17);
      node.push_back(static_cast<std::uint16_t>(at - next.begin()));
      first.push_back(*at);
      spacing.push_back(pitch.ps());
      data.insert(data.end(), static_cast<std::size_t>(n), 5);
      offsets.push_back(static_cast<std::int32_t>(data.size()));
      // Phases: most of the time pauses, in which a node is busy about a tenth, then a rush.
      const std::uint64_t gap = *at / 1'000'000'000'000 % 8 == 7 ? longest_gap / 40 : longest_gap;
      *at += pitch.ps() * n + static_cast<std::int64_t>(random() % gap);
    }
    constexpr std::size_t rows = 65536;
    for (std::size_t from = 0; from < node.size(); from += rows) {
      const std::size_t n = std::min(rows, node.size() - from);
      batches.push_back({std::span(node).subspan(from, n), std::span(first).subspan(from, n),
                         std::span(spacing).subspan(from, n), std::span(offsets).subspan(from, n + 1), data});
    }
  }
};

BoardDesign prototype() { return {{}, {}, {}, {}, {0, 16, {}}, {}}; }

std::vector<std::int64_t> log_grid(double from, double to, int n) {
  std::vector<std::int64_t> grid;
  for (int i = 0; i < n; ++i) grid.push_back(std::llround(from * std::pow(to / from, i / (n - 1.0))));
  return grid;
}

template <class Work> double cpu_seconds(Work&& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}
double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

std::vector<BoardCounts> replay(const Recorded& recorded, std::span<const BoardDesign> designs) {
  CountReplay replay(designs);
  for (const BurstRows& rows : recorded.batches) replay.add(rows);
  return replay.finish();
}

} // namespace

int main(int argc, char** argv) {
  const Recorded recorded(argc > 1 ? std::atoll(argv[1]) : 80'000);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;

  std::vector<double> limits, singles;
  for (int i = 0; i < rounds; ++i) {
    benchmark::LimitCounts limit;
    BoardCounts single;
    const BoardDesign one = prototype();
    limits.push_back(cpu_seconds([&] { limit = benchmark::limit(recorded.batches); }));
    singles.push_back(cpu_seconds([&] { single = replay(recorded, std::span(&one, 1)).front(); }));
    const Counts& c = single.counts;
    if (limit.strobes != c.strobes || limit.frames_built != c.frames_built || limit.merged != c.merged ||
        limit.frames_lost != c.frames_lost || limit.peak != static_cast<std::int64_t>(c.peak_frame_fifo) ||
        limit.end_ps != c.end.ps()) {
      std::puts("the limit's counts are others");
      return 1;
    }
    if (i == 0)
      std::printf("%llu strobes in %.0f s, %llu frames, peak %llu\n", static_cast<unsigned long long>(c.strobes),
                  c.end.seconds(), static_cast<unsigned long long>(c.frames_built),
                  static_cast<unsigned long long>(c.peak_frame_fifo));
  }
  const double limit = median(limits);
  const double single = median(singles);
  std::printf("limit         %7.3f s\none design    %7.3f s   %.2f times the limit\n", limit, single, single / limit);

  std::vector<BoardDesign> designs;
  for (const std::int64_t window : {200, 400, 800, 1600})
    for (const std::int64_t depth : log_grid(1, 65536, 50))
      for (const std::int64_t word : log_grid(100, 10'000, 50)) {
        BoardDesign d = prototype();
        d.ecb.window_ns = window;
        d.ecb.frame_fifo_frames = depth;
        d.pbx.word_ns = word;
        designs.push_back(d);
      }
  std::vector<BoardCounts> counts;
  const double sweep = cpu_seconds([&] { counts = replay(recorded, designs); });
  const auto losing = std::ranges::count_if(counts, [](const BoardCounts& c) { return c.counts.frames_lost > 0; });
  std::printf("%zu designs %7.3f s   %.1f times the limit; %td of them lose frames\n", designs.size(), sweep,
              sweep / limit, losing);

  const auto words = log_grid(100, 10'000, 50);
  const double frontier = cpu_seconds([&] {
    Frontier f(prototype(), words);
    for (const BurstRows& rows : recorded.batches) f.add(rows);
    f.finish();
    f.points();
  });
  std::printf("frontier      %7.3f s   %.1f times the limit\n", frontier, frontier / limit);
}
