// SPDX-License-Identifier: BSD-3-Clause
// The clients of a run, which query the agents through RMI.
#pragma once
#include "base/results.hpp"
#include "base/spec.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/scms/clients/client.hpp"
#include "sw/monitors/scms/clients/operator.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace hypermon::scms {

class Clients {
public:
  /// Call at the run's begin. References must outlive this object. Throws UserError, as Plugins::resources() does.
  void start(const Spec& spec, Site& site, Wiring& wiring, const Plugins& plugins,
             const std::optional<Dialogue>& dialogue);
  ResultRecords report() const;
  ResultRecords report_changes() const { return report_of(changes_); }

private:
  struct Group {
    Client::Kind kind;
    std::vector<Peer> peers;
    std::vector<std::unique_ptr<Client>> clients;
    std::optional<int> status; ///< return value of a user's client
  };
  void start_kind(const Spec& spec, const ScmsClientParams& params, const std::string& path, Site& site,
                  const Plugins& plugins);

  /// Starts a daemon at `place` that uses RMI and is connected to the root.
  void start_operator(const Place& place, Site& site, const Plugins& plugins);

  Wiring* wiring_ = nullptr;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<Change> changes_;
};

} // namespace hypermon::scms
