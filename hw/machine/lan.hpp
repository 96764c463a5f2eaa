// SPDX-License-Identifier: BSD-3-Clause
// A switched network beside the machine's own: one switch, or a tree of them. SimGrid shares its cables and switches;
// its links have no latency there, the time of flight is added by who sends (networks.hpp): so flows share by bandwidth
// alone, as max-min fairness says, and not by round-trip times too.
#pragma once
#include "base/time.hpp"
#include "hw/machine/lan_params.hpp"

#include <simgrid/forward.h>

#include <string>
#include <vector>

namespace hypermon {

class Lan {
public:
  /// An interface for each of so many computers. `zone`: what SimGrid calls it.
  Lan(simgrid::s4u::NetZone* root, const std::string& zone, const LanParams& params, std::size_t computers);

  simgrid::s4u::Host* interface(std::size_t computer) const { return interfaces_[computer]; }
  std::size_t computers() const { return interfaces_.size(); }
  /// Time of flight between two of them.
  Time latency(std::size_t from, std::size_t to) const;

private:
  struct Switch {
    simgrid::s4u::NetZone* zone;
    simgrid::kernel::routing::NetPoint* gateway;
  };
  /// The switch above `count` computers from `first` on; `below`: how many a full one of that level has below.
  Switch add_switch(simgrid::s4u::NetZone* parent, const std::string& name, std::size_t first, std::size_t count,
                    std::size_t below);

  LanParams params_;
  std::size_t fan_out_;
  std::vector<simgrid::s4u::Host*> interfaces_;
};

} // namespace hypermon
