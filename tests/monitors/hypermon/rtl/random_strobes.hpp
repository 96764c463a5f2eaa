// SPDX-License-Identifier: BSD-3-Clause
// Random strobes, readers and buses for the tests of the board's RTL. Pins carry at most one strobe of an input in a
// clock period.
#pragma once
#include "tests/monitors/hypermon/rtl/nodes_and_reader.hpp"
#include "tests/monitors/hypermon/rtl/rtl_design.hpp"
#include "tests/random.hpp"
#include <algorithm>
#include <deque>
#include <vector>

namespace hypermon::testing {

struct Strobes {
  std::deque<std::vector<std::uint8_t>> data;
  std::vector<Burst> bursts;
  std::uint64_t count = 0;
};

/// Bursts of each input in sequence. A held write (stall) delays the strobes behind it, so that those of the next burst
/// could come in the same period; then there is only one burst for each input. `most_silence`: in ps.
inline Strobes random_strobes(Random& r, const RtlDesign& design, std::int64_t most_silence = 300'000'000) {
  Strobes all;
  const std::int64_t window = design.ecb.window_ns.number * 1000;
  const std::int64_t grid = r.pick({1, 1000, clock_ps, window});
  const bool in_step = r.one_in(4);
  const bool one_burst = design.ecb.node_fifo_full == WhenFull::stall;
  const std::int64_t bursts = one_burst ? 1 : r.pick({1, 3, 10, 30});
  const std::int64_t common_pace = r.pick({clock_ps, window, window + 1, 750'000, 750'000, 800'000, 3 * window});
  const auto bytes = static_cast<std::int64_t>(bytes_per_datum(design.port.width_bits));
  const std::uint64_t pattern = r.engine();
  for (std::uint32_t input = 0; input < design.ecb.inputs; ++input) {
    Random own(in_step ? pattern : r.engine());
    std::int64_t free = 0;
    for (std::int64_t b = 0; b < bursts; ++b) {
      const std::int64_t gap =
          own.pick({0, own.below(3 * window), own.below(most_silence / 15), own.below(most_silence)});
      const std::int64_t first = (free + gap + grid - 1) / grid * grid + (own.one_in(4) ? 1 : 0);
      const std::int64_t pace = own.one_in(3) ? std::max(clock_ps, own.pick({window - 1, window, own.below(3'000'000)}))
                                              : std::max(clock_ps, common_pace);
      const std::int64_t data = own.pick({1, 2, own.between(1, 40), own.between(50, 400)});
      std::vector<std::uint8_t>& values = all.data.emplace_back();
      for (std::int64_t i = 0; i < data * bytes; ++i) values.push_back(static_cast<std::uint8_t>(r.engine()));
      all.bursts.push_back({input, Time::from_ps(first), Time::from_ps(pace), values, own.one_in(2)});
      all.count += static_cast<std::uint64_t>(data);
      free = first + pace * (data - 1) + clock_ps;
    }
  }
  std::stable_sort(all.bursts.begin(), all.bursts.end(), [](auto& a, auto& b) { return a.first < b.first; });
  return all;
}

inline ReaderParams random_reader(Random& r) {
  ReaderParams reader;
  if (r.one_in(2)) return reader;
  reader.kind = ReaderKind::group;
  reader.group_ns = r.pick({0, 1600, 20'010});
  reader.frame_ns = r.pick({0, 49, 700, 9000});
  reader.stall_every_frames = r.pick({0, 1, 5});
  reader.stall_ns = r.pick({0, 50'000, 200'001});
  return reader;
}

/// The reader's bus moves at most one word in a clock period.
inline PbxParams random_bus(Random& r) {
  PbxParams pbx;
  pbx.word_ns = r.pick({50, 75, 222, 500, 800, r.between(50, 300)});
  return pbx;
}

} // namespace hypermon::testing
