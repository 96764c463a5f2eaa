// SPDX-License-Identifier: BSD-3-Clause
// SCMS/RMS (Uthayopas and Phatanapherom): CMAs on the nodes, SMAs above them, and clients that query them.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/monitors/scms/agent_daemon.hpp"
#include "sw/monitors/scms/clients/clients.hpp"
#include "sw/monitors/scms/site_surroundings.hpp"
#include "sw/monitors/scms/wiring.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::scms {

class ScmsMonitor : public Monitor {
public:
  ScmsMonitor(const Spec& spec, const std::optional<Dialogue>& dialogue);

  bool records() const override { return false; } // observes no events
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void start(Site& site) override;
  void finish(Time) override { surroundings_->close(); }
  void report(Results& results, Time begin, Time end) const override;

private:
  Deaths deaths_of(Peer agent) const;
  /// Agents that the failure stops.
  std::vector<Peer> victims(const Failure& failure) const;
  void report_tree(Results& results) const;
  ResultRecords level_records() const;
  ResultValues overload_values() const;
  ResultRecords failure_records() const;

  const Spec& spec_;
  std::optional<Dialogue> dialogue_;
  Design design_;
  std::vector<Failure> failures_;
  Site* site_ = nullptr;
  std::optional<Plugins> plugins_;
  std::optional<SiteSurroundings> surroundings_;
  std::optional<Wiring> wiring_;
  std::vector<std::unique_ptr<AgentDaemon>> agents_; // by Peer
  Clients clients_;
};

} // namespace hypermon::scms
