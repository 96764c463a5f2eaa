// SPDX-License-Identifier: BSD-3-Clause
// The environment of agents in a run: the nodes' plug-ins, and the run's log of samples.
#pragma once
#include "sw/monitors/sample_log.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"
#include "sw/monitors/scms/failures.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hypermon {
class Site;
} // namespace hypermon

namespace hypermon::scms {

class SiteSurroundings final : public Surroundings {
public:
  SiteSurroundings(Site& site, Plugins& plugins) : site_(site), plugins_(plugins) {}

  Value read(NodeId node, Resource resource, Time now) override { return plugins_.read(node, resource, now); }
  State load(NodeId node, PluginId plugin, Time now) override { return plugins_.load(node, plugin, now); }
  State unload(NodeId node, PluginId plugin, Time now) override { return plugins_.unload(node, plugin, now); }
  void restart(NodeId node, Time now) override { plugins_.restart(node, now); }

  /// Only for values of counters.
  std::uint64_t take(NodeId node, Resource resource, Time now) override;
  void arrive(std::uint64_t ticket, Time now) override;
  void lose(std::uint64_t ticket, Loss why) override;

  /// No more samples arrive: those still under way are lost.
  void close();

  void buried(Peer by, Peer child, Time now) override;
  void joined(Peer by, Peer child, Time now) override;
  /// When the agent was first taken for dead at or after `begin`, and when it joined an SMA again after that.
  std::optional<Time> buried_after(Peer agent, Time begin) const;
  std::optional<Time> joined_after(Peer agent, Time begin) const;

private:
  struct Change {
    Peer agent;
    Time date;
    bool is_burial;
  };
  Sample settle(std::uint64_t ticket);

  Site& site_;
  Plugins& plugins_;
  std::unordered_map<std::uint64_t, Sample> out_; // by ticket
  std::vector<Change> changes_;
};

} // namespace hypermon::scms
