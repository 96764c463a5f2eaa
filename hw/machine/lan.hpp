// SPDX-License-Identifier: BSD-3-Clause
// A switched network beside the machine's own: one switch, or a tree of them. SimGrid shares its cables and switches.
// Its links have no latency in SimGrid; the sender adds the time of flight (networks.hpp). So flows share by bandwidth
// alone, by max-min fairness, and not by round-trip times.
#pragma once
#include "base/time.hpp"
#include "hw/machine/lan_params.hpp"

#include <simgrid/forward.h>

#include <string>
#include <vector>

namespace hypermon {

class Lan {
public:
  /// Adds an interface for each of `computers` computers. `zone`: its name in SimGrid.
  Lan(simgrid::s4u::NetZone* root, const std::string& zone, const LanParams& params, std::size_t computers);

  simgrid::s4u::Host* interface(std::size_t computer) const { return interfaces_[computer]; }
  std::size_t computers() const { return interfaces_.size(); }
  /// Time of flight between two of the computers.
  Time latency(std::size_t from, std::size_t to) const;

private:
  struct Switch {
    simgrid::s4u::NetZone* zone;
    simgrid::kernel::routing::NetPoint* gateway;
  };
  /// Adds the switch above `count` computers from `first` on. `below`: number of computers below a full switch of that
  /// level.
  Switch add_switch(simgrid::s4u::NetZone* parent, const std::string& name, std::size_t first, std::size_t count,
                    std::size_t below);

  LanParams params_;
  std::size_t fan_out_;
  std::vector<simgrid::s4u::Host*> interfaces_;
};

} // namespace hypermon
