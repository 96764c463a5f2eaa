// SPDX-License-Identifier: BSD-3-Clause
// Random hardware over all of the contract's section 6, and adversarial strobe streams.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/params.hpp"
#include "tests/random.hpp"
#include <algorithm>
#include <vector>

namespace hypermon::testing {

struct Hardware {
  PortParams port;
  EcbParams ecb;
  PbxParams pbx;
  ReaderParams reader;
};

/// A burst of `data` strobes; their values follow from Case::seed.
struct BurstShape {
  std::uint32_t input;
  Time first;
  Time spacing;
  std::int64_t data;
  bool flagged;
  Time last() const { return first + spacing * (data - 1); }
};

struct Case {
  Hardware hardware;
  std::vector<BurstShape> bursts; ///< ordered by their first strobes; those of one input do not overlap
  std::uint64_t seed;             ///< seed of the data and of the horizons

  std::uint64_t strobes() const {
    std::uint64_t sum = 0;
    for (const BurstShape& b : bursts) sum += static_cast<std::uint64_t>(b.data);
    return sum;
  }
};

/// Parameters that a family of cases varies besides window, inputs, word time and frame FIFO.
struct Varied {
  bool depths = false;
  bool policies = false;
  bool formats = false;
  bool readers = false;
  bool accesses = false; ///< times of register accesses, and of the begin of bursts
  /// mostly cases that are captured in bulk: only the frame FIFO overruns, and an input's strobes share windows
  bool apart = false;
  ///< no window
};

// The constraints between parameters.
inline bool consistent(const EcbParams& ecb) {
  return ecb.timestamp_policy == TimestampPolicy::every || (ecb.inputs <= 31 && !ecb.wrap_frames);
}

/// A parameter as its user writes it.
template <class Value> auto shown(const Value& value) {
  if constexpr (Choice<Value>)
    return word(value);
  else
    return value;
}

inline Hardware random_hardware(Random& r, const Varied& varied) {
  Hardware h;
  h.ecb.inputs = r.pick({1, 2, 3, 8, 16, 16, 31, 32, r.between(1, 32)});
  h.ecb.window_ns = r.pick({50, 200, 200, 400, 800, 800, 50 * r.between(1, 40)});
  h.pbx.word_ns = r.pick({1, 50, 222, 500, 800, r.between(1, 300)});
  h.ecb.frame_fifo_frames = r.pick({1, 2, 16, 1024});
  if (varied.depths) {
    h.ecb.node_fifo_entries = r.pick({1, 2, 3, 4, 64});
    h.ecb.vector_fifo_entries = r.pick({1, 2, 3, 5, 64});
    h.ecb.frame_fifo_frames = r.pick({1, 2, 3, 6, 1024});
    h.ecb.builder_cycles = r.pick({1, 2, 4, 8, 17, 60});
    if (r.one_in(8)) { // frames can be built at successive edges
      h.ecb.window_ns = 50;
      h.ecb.builder_cycles = 1;
    }
  }
  if (varied.policies) {
    h.ecb.node_fifo_full = r.pick({WhenFull::drop_newest, WhenFull::stall});
    h.ecb.vector_fifo_full = r.pick({WhenFull::drop_newest, WhenFull::drop_oldest});
    h.ecb.frame_fifo_full = r.pick({WhenFull::drop_newest, WhenFull::drop_oldest, WhenFull::stall});
  }
  if (varied.formats) {
    h.port.width_bits = r.pick({4, 8, 16, 32});
    h.ecb.accumulate_bits = r.pick({0, 32});
    h.ecb.timestamp_bits = r.pick({1, 2, 3, 5, 8, 16, 31, 32, 33, 40, 63, 64});
    h.ecb.timestamp_policy = r.pick({TimestampPolicy::every, TimestampPolicy::every, TimestampPolicy::on_request});
    if (h.ecb.timestamp_policy == TimestampPolicy::on_request)
      h.ecb.inputs = std::min<std::int64_t>(h.ecb.inputs, 31);
    else
      h.ecb.wrap_frames = r.one_in(2);
  }
  if (varied.readers && !r.one_in(4)) {
    h.reader.kind = ReaderKind::group;
    h.reader.group_ns = r.pick({0, 1, 1600, 20010});
    h.reader.frame_ns = r.pick({0, 49, 700, 9000});
    h.reader.stall_every_frames = r.pick({0, 1, 5, 20});
    h.reader.stall_ns = r.pick({0, 50000, 200001});
    if (r.one_in(4)) { // more frames wait than the frame count register can say
      h.ecb.window_ns = 50;
      h.ecb.builder_cycles = 1;
      h.ecb.frame_fifo_frames = 6000;
      h.pbx.word_ns = 1;
      h.reader.stall_every_frames = 1;
      h.reader.stall_ns = 400'000;
    }
  }
  if (varied.accesses && h.ecb.frame_fifo_frames < 6000) { // more frames would wait less often
    h.pbx.register_read_ns = r.pick({0, 1, 130, 800, 5010});
    h.pbx.register_write_ns = r.pick({0, 700});
    h.pbx.burst_start_ns = r.pick({0, 30, 1100});
  }
  if (varied.apart) {
    h.ecb.builder_cycles = std::min(h.ecb.builder_cycles, h.ecb.window_ns.number / 50);
    h.ecb.node_fifo_entries = std::max<std::int64_t>(h.ecb.node_fifo_entries, 2);
    h.ecb.vector_fifo_entries = std::max<std::int64_t>(h.ecb.vector_fifo_entries, 2);
    h.ecb.accumulate_bits = 0;
    h.ecb.timestamp_policy = TimestampPolicy::every;
    h.ecb.wrap_frames = false;
  }
  return h;
}

/// Bursts until there are `strobes` of them. One case has one temper: its grid of times, its pace, whether inputs go in
/// step, how long it falls silent.
class Stream {
public:
  Stream(Random& random, const Hardware& hardware, bool apart = false)
      : r(random), h(hardware), window(Time{h.ecb.window_ns}), least_gap(apart ? window : 0_ps),
        wrap(h.ecb.wrap_frames && h.ecb.timestamp_bits < 30 ? window * (std::int64_t{1} << h.ecb.timestamp_bits)
                                                            : Time::never()),
        free(static_cast<std::size_t>(h.ecb.inputs)) {}

  std::vector<BurstShape> bursts(std::uint64_t strobes) {
    std::vector<BurstShape> all;
    for (std::uint64_t n = 0; n < strobes;) {
      if (falls_silent && r.one_in(200)) fall_silent();
      const BurstShape shape = burst(next_input());
      for (std::uint32_t i = 0; i < free.size(); ++i) {
        if (!in_step && i != shape.input) continue;
        all.push_back(shape);
        all.back().input = i;
        all.back().first = std::max(shape.first, free[i] + least_gap);
        free[i] = all.back().last();
        n += static_cast<std::uint64_t>(shape.data);
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return all;
  }

private:
  // Mostly the input that is behind, so that all are active together.
  std::uint32_t next_input() {
    if (r.one_in(4)) return static_cast<std::uint32_t>(r.below(h.ecb.inputs));
    return static_cast<std::uint32_t>(std::min_element(free.begin(), free.end()) - free.begin());
  }

  BurstShape burst(std::uint32_t input) {
    const Time gap = r.one_in(8) ? Time::from_ns(r.below(20'000)) : Time::from_ps(r.below(2 * window.ps()));
    const bool close = least_gap > 0_ps && r.one_in(500); // shares windows all the same
    const Time first = free[input] + (close ? 0_ps : least_gap) + (r.one_in(4) ? 0_ps : gap);
    const std::int64_t pace_ps = std::max(one_pace ? pace : random_pace(), close ? 0 : least_gap.ps());
    std::int64_t data = long_bursts ? r.between(50, 1000) : r.between(1, 40);
    data = std::min(data, 1 + longest_burst / std::max<std::int64_t>(pace_ps, 1));
    return {input, on_grid(first, close ? free[input] : free[input] + least_gap), Time::from_ps(pace_ps), data,
            r.one_in(2)};
  }

  // A time on the case's grid, or a picosecond next to it.
  Time on_grid(Time t, Time earliest) {
    const Time on = Time::from_ps((t.ps() + grid - 1) / grid * grid);
    const Time beside = on + Time::from_ps(r.one_in(4) ? r.pick({-1, 1}) : 0);
    return std::max({beside, earliest, 0_ps});
  }

  std::int64_t random_pace() {
    const std::int64_t w = window.ps();
    if (r.one_in(3)) return r.pick({w - 1, w, w, w + 1, w / 2, 3 * w}); // about one a window
    if (r.one_in(8)) return r.pick({0, 1});
    if (r.one_in(6) && wrap == Time::never()) return r.pick({8'850'000, 26'140'000});
    return r.pick({50'000, 750'000, 750'000, 800'000, r.between(50'000, 3'000'000)});
  }

  // Silence on all inputs. With an empty frame for each wrap, long silence would be much work.
  void fall_silent() {
    const Time silence = r.pick({100_us, 1_ms, 50_ms, 1'000'000_ms, 10'000'000_ms});
    const Time longest = wrap == Time::never() ? silence : wrap * 100;
    const Time from = *std::max_element(free.begin(), free.end());
    std::fill(free.begin(), free.end(), from + std::min(silence, longest));
  }

  static constexpr std::int64_t longest_burst = 500'000'000; // ps
  Random& r;
  const Hardware& h;
  Time window;
  Time least_gap; // between strobes of an input
  Time wrap;
  std::vector<Time> free; // per input, the earliest time of its next strobe
  std::int64_t grid = r.pick({1, 1000, 50'000, 50'000, window.ps()});
  std::int64_t pace = random_pace();
  bool one_pace = r.one_in(2);
  bool long_bursts = r.one_in(3);
  bool in_step = r.one_in(5);
  bool falls_silent = r.one_in(3);
};

inline Case random_case(Random& r, const Varied& varied) {
  Case c;
  c.hardware = random_hardware(r, varied);
  c.bursts = Stream(r, c.hardware, varied.apart)
                 .bursts(static_cast<std::uint64_t>(r.pick({20, 20, 200, 1000, 1000, 5000, 20'000})));
  c.seed = r.engine();
  return c;
}

/// A case's bursts with their data.
class Bursts {
public:
  explicit Bursts(const Case& c) {
    const auto bytes = static_cast<std::size_t>((c.hardware.port.width_bits + 7) / 8);
    Random r(c.seed);
    bytes_.resize(c.strobes() * bytes);
    for (std::uint8_t& byte : bytes_) byte = static_cast<std::uint8_t>(r.engine());
    std::size_t at = 0;
    for (const BurstShape& b : c.bursts) {
      const std::size_t size = static_cast<std::size_t>(b.data) * bytes;
      views_.push_back({b.input, b.first, b.spacing, std::span(bytes_).subspan(at, size), b.flagged});
      at += size;
    }
  }
  const std::vector<Burst>& views() const { return views_; }

private:
  std::vector<std::uint8_t> bytes_;
  std::vector<Burst> views_;
};

} // namespace hypermon::testing
