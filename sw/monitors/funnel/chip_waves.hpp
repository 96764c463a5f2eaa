// SPDX-License-Identifier: BSD-3-Clause
// Waves of the chips: all changes in sources, links, funnels, formatters and sinks, and all losses, as a Value Change
// Dump of a part of a replay.
#pragma once
#include "base/vcd_writer.hpp"
#include "hw/funnel/core/probe.hpp"
#include "sw/monitors/funnel/chip_traces.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace hypermon {

/// Signals of all chips, in the order of the file.
std::vector<Signal> chip_signals(const Spec& spec);

class ChipWaves {
public:
  /// Waves from `from` until before `to`. Throws std::runtime_error if the file cannot be written.
  ChipWaves(const Spec& spec, ChipTraces& traces, const std::string& path, Time from, Time to);
  ~ChipWaves();

  /// The chips have reached this horizon: writes all changes before it.
  void advance(Time horizon);
  /// Number of changes of each signal, initial value included.
  std::vector<std::uint64_t> close();

private:
  class Chip;
  /// A change between two horizons.
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
  std::vector<std::uint64_t> values_; // by signal, as last written
  std::vector<Seen> seen_;
  std::vector<std::unique_ptr<Chip>> chips_;
  bool begun_ = false;
};

} // namespace hypermon
