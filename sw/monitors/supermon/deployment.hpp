// SPDX-License-Identifier: BSD-3-Clause
// All of Supermon's processes in a run, daemons and clients. It serves the monitor `supermon` and monitors whose data
// pass through the monhole.
#pragma once
#include "base/results.hpp"
#include "sw/monitors/supermon/core/concentrator.hpp"
#include "sw/monitors/supermon/core/sink.hpp"
#include "sw/monitors/supermon/design_of.hpp"
#include "sw/monitors/supermon/runner.hpp"
#include "sw/monitors/supermon/site_surroundings.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace hypermon::supermon {

class Deployment {
public:
  /// `writer`: writes into the monholes; null: nothing does. Throws UserError.
  explicit Deployment(const Spec& spec, Writer* writer = nullptr);

  /// Starts the daemons at the run's begin. Throws UserError.
  void start(Site& site);
  /// A process of the node writes into its monhole; the data wait in the socket. Can be called from any actor. Returns
  /// false if there is no mon.
  bool write(NodeId node, MonholeWrite write);
  std::uint32_t clients() const { return static_cast<std::uint32_t>(clients_.size()); }
  /// The program and the daemons have ended.
  void finish() { surroundings_->close(); }
  /// Sets the keys monitor.supermon.* of a result.
  void report(Results& results) const;
  /// Sets the keys monitor.monhole.* of a result.
  void report_monholes(Results& results) const;
  /// Bytes that all processes have sent.
  std::uint64_t bytes() const;

private:
  Deaths deaths_of(Peer daemon) const;
  void start_daemon(Site& site, Peer daemon);
  void start_client(Site& site, std::uint32_t number);
  const Sink& client(std::uint32_t number) const;
  Traffic traffic_of(std::uint32_t first, std::uint32_t end) const;
  ConcentratorCounts counts() const;
  ResultRecords client_records() const;
  ResultRecords failure_records() const;

  const Spec& spec_;
  Writer* writer_;
  Site* site_ = nullptr;
  Design design_;
  std::vector<ClientDesign> clients_;
  std::vector<Design> client_designs_; // each with its own costs
  std::vector<Place> places_;          // places of daemons
  std::vector<Failure> failures_;
  std::optional<SiteSurroundings> surroundings_;
  std::optional<Wiring> wiring_;
  std::vector<std::unique_ptr<Runner>> runners_; // by Peer
  ConcentratorCounts of_the_dead_;
};

} // namespace hypermon::supermon
