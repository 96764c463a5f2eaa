// SPDX-License-Identifier: BSD-3-Clause
// Waves of the chips: what is in sources, links, funnels, formatters and sinks, change by change, and what is lost, as
// a Value Change Dump of a stretch of a replay.
#pragma once
#include "base/vcd_writer.hpp"
#include "hw/funnel/core/probe.hpp"
#include "sw/monitors/funnel/chip_traces.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace hypermon {

/// Of all chips, in the order of the file.
std::vector<Signal> chip_signals(const Spec& spec);

class ChipWaves {
public:
  /// Of what happens from `from` until before `to`. Throws std::runtime_error if the file cannot be written.
  ChipWaves(const Spec& spec, ChipTraces& traces, const std::string& path, Time from, Time to);
  ~ChipWaves();

  /// The chips are at this horizon: what happened before it is written.
  void advance(Time horizon);
  /// So many changes of each signal, with the value that it has at the beginning.
  std::vector<std::uint64_t> close();

private:
  class Chip;
  /// What is between two horizons.
  struct Seen {
    Time time;
    std::uint32_t signal;
    std::uint64_t value;
  };

  void saw(Time time, std::uint32_t signal, std::uint64_t value) { seen_.push_back({time, signal, value}); }
  void begin();
  void write(const Seen& seen);

  VcdWriter vcd_;
  Time from_;
  Time to_;
  std::vector<Signal> signals_;
  std::vector<std::uint64_t> values_; // by signal, as written
  std::vector<Seen> seen_;
  std::vector<std::unique_ptr<Chip>> chips_;
  bool begun_ = false;
};

} // namespace hypermon
