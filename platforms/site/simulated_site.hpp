// SPDX-License-Identifier: BSD-3-Clause
// The site on the simulated machine: daemons are SimGrid actors on the places' hosts.
#pragma once
#include "base/counters.hpp"
#include "hw/machine/networks.hpp"
#include "hw/machine/processors.hpp"
#include "hw/machine/servers.hpp"
#include "hw/nfs/core/shared_files.hpp"
#include "platforms/site/counted_files.hpp"
#include "platforms/site/process_counters.hpp"
#include "sw/monitors/footprint.hpp"
#include "sw/monitors/sample_log.hpp"
#include "sw/os/operating_system.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

class SimulatedSite final : public Site {
public:
  /// Components that the site uses. They must outlive it.
  struct Parts {
    Machine& machine;
    OperatingSystem& os;
    Processors& processors;
    Networks& networks;
    Servers& servers;
    SharedFiles* shared_files; // null: there is none
    Counters& counters;
    ProcessCounters& processes;
    SampleLog& samples;
    Footprint& footprint;
  };
  SimulatedSite(const Parts& parts, std::string folder) : parts_(parts), folder_(std::move(folder)) {
    if (parts.shared_files != nullptr) shared_files_.emplace(*parts.shared_files, parts.footprint);
  }

  std::int64_t nodes() const override { return parts_.os.kernels.nodes(); }
  const NodeClock& clock(NodeId node) const override { return parts_.machine.clock(node); }
  Counters& counters() override { return parts_.counters; }
  SampleLog& samples() override { return parts_.samples; }
  Footprint& footprint() override { return parts_.footprint; }
  NetworkId network(const std::string& name, const std::string& path) const override {
    return parts_.networks.named(name, path);
  }
  ServerId server(const std::string& name, const std::string& path) const override {
    return parts_.servers.named(name, path);
  }
  SharedFiles* shared_files() override { return shared_files_ ? &*shared_files_ : nullptr; }
  void daemon(Place place, const std::string& name, std::function<void(Daemon&)> body,
              const std::string& path) override;
  bool hand_over(const Address& to, std::any content) override {
    return parts_.networks.hand_over(to, std::move(content));
  }
  void share_processors(NodeId node) override { parts_.processors.share(node); }
  void working_set(Place place, const std::string& name, std::int64_t bytes) override {
    parts_.footprint.keep(place, bytes);
    if (place.kind == Place::Kind::node) parts_.os.memories.add_bystander(NodeId{place.number}, name, bytes);
  }
  void linger(Time after) override { linger_ = std::max(linger_, after); }
  const std::string& folder() const override { return folder_; }

private:
  /// Task of a daemon on shared processors; none on other processors.
  std::optional<TaskId> task_of(Place place, const std::string& name);
  void watch_the_end();

  Parts parts_;
  std::optional<CountedFiles> shared_files_;
  std::string folder_;
  Time linger_;
  std::vector<simgrid::s4u::ActorPtr> daemons_;
};

} // namespace hypermon
