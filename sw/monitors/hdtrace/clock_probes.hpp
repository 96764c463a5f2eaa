// SPDX-License-Identifier: BSD-3-Clause
// Offsets of the nodes' clocks from node 0's clock, measured by probes over a network.
#pragma once
#include "hw/machine/site.hpp"
#include "sw/monitors/hdtrace/recording.hpp"
#include "sw/monitors/offset_probes.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace hypermon::hdtrace {

class ClockProbes {
public:
  ClockProbes(Recording& recording, Site& site, NetworkId network, std::function<Time()> program_end);
  void start();
  /// Sets the shift of each node's timestamps from the measured offsets.
  void close();

  /// Offset of the node's clock from node 0's, measured before the program.
  const std::optional<ClockOffset>& before(std::size_t node) const { return before_[node]; }
  const std::optional<ClockOffset>& after(std::size_t node) const { return after_[node]; }

private:
  void probe(Daemon& self, std::vector<std::optional<ClockOffset>>& found);

  Recording& recording_;
  Site& site_;
  OffsetProbe probe_;
  std::function<Time()> program_end_;
  std::vector<std::optional<ClockOffset>> before_;
  std::vector<std::optional<ClockOffset>> after_;
};

} // namespace hypermon::hdtrace
