// How far the nodes' clocks are from node 0's, as probes over a network find: the one with the shortest round trip
// counts, and half of it is taken for the way back (as NTP does).
#pragma once
#include "sw/model/site.hpp"
#include "sw/monitors/hdtrace/recording.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace hypermon::hdtrace {

class ClockProbes {
public:
  ClockProbes(Recording& recording, Site& site, NetworkId network, std::function<Time()> program_end);
  void start();
  /// What was found becomes the shift of each node's timestamps.
  void close();

  struct Found {
    Time offset; ///< of the node's clock against node 0's
    Time round_trip;
  };
  const std::optional<Found>& before(std::size_t node) const { return before_[node]; }
  const std::optional<Found>& after(std::size_t node) const { return after_[node]; }

private:
  void serve(Daemon& self, std::size_t node);
  void probe(Daemon& self, std::vector<std::optional<Found>>& found);

  Recording& recording_;
  Site& site_;
  NetworkId network_;
  std::function<Time()> program_end_;
  std::vector<std::optional<Found>> before_;
  std::vector<std::optional<Found>> after_;
};

} // namespace hypermon::hdtrace
