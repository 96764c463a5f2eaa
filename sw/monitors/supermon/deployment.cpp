// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/deployment.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/cpu_params.hpp"
#include "sw/monitors/supermon/monhole/params.hpp"
#include "sw/monitors/supermon/params.hpp"

#include <algorithm>

namespace hypermon::supermon {

Deployment::Deployment(const Spec& spec, Writer* writer)
    : spec_(spec), writer_(writer), design_(design_of(spec)), clients_(clients_of(spec)),
      places_(places_of(spec, design_.tree)), failures_(failures_of(spec, design_.tree)) {
  for (const ClientDesign& client : clients_) {
    client_designs_.push_back(design_);
    client_designs_.back().costs.sink_byte_ns = client.byte_ns;
  }
}

void Deployment::start(Site& site) {
  const auto& params = spec_.get<SupermonParams>();
  site_ = &site;
  const auto& monhole = spec_.get<MonholeParams>();
  const BufferSetting setting{monhole.policy, static_cast<std::size_t>(monhole.entries),
                              static_cast<std::size_t>(Bytes(monhole.memory_mb).number)};
  surroundings_.emplace(site, params.counters, setting, clients(), writer_);
  const std::string network = network_names(spec_)[static_cast<std::size_t>(network_of(spec_))];
  std::vector<Place> all = places_;
  for (const ClientDesign& client : clients_) all.push_back(client.place);
  wiring_.emplace(site.network(network, "supermon.network"), std::move(all));
  if (params.mon_shares && spec_.get<CpuParams>().ranks_per_node > 1)
    for (std::uint32_t n = 0; n < design_.tree.nodes(); ++n) site.share_processors(NodeId{n});
  for (std::uint32_t d = 0; d < design_.tree.daemons(); ++d) start_daemon(site, Peer{d});
  for (std::uint32_t c = 0; c < clients_.size(); ++c) start_client(site, c);
  site.linger(params.linger_s);
}

void Deployment::start_daemon(Site& site, Peer daemon) {
  const auto& params = spec_.get<SupermonParams>();
  const bool is_mon = design_.tree.is_mon(daemon);
  const NodeClock clock = site.clock_at(places_[index(daemon)]);
  const auto make = [this, daemon, is_mon, clock]() -> std::unique_ptr<Process> {
    if (is_mon) return std::make_unique<Mon>(design_, NodeId{index(daemon)}, *surroundings_);
    return std::make_unique<Concentrator>(design_, daemon, *surroundings_, clock);
  };
  runners_.push_back(std::make_unique<Runner>(*wiring_, daemon, make, deaths_of(daemon)));
  Runner& runner = *runners_.back();
  runner.on_death([this](const Process& process) {
    if (const auto* supermon = dynamic_cast<const Concentrator*>(&process)) of_the_dead_ += supermon->counts();
  });
  const char* const name = is_mon ? "mon" : "supermon";
  site.working_set(places_[index(daemon)], name, Bytes(params.memory_mb).number);
  site.daemon(
      places_[index(daemon)], name, [&runner](Daemon& self) { runner.run(self); }, is_mon ? "nodes" : "supermon.root");
}

void Deployment::start_client(Site& site, std::uint32_t number) {
  const ClientDesign& client = clients_[number];
  if (client.is_logged) surroundings_->log(number);
  const auto make = [this, number, &client, clock = site.clock_at(client.place)]() -> std::unique_ptr<Process> {
    return std::make_unique<Sink>(client_designs_[number], number, client.setting, *surroundings_, clock);
  };
  const Peer self{design_.tree.daemons() + number};
  runners_.push_back(std::make_unique<Runner>(*wiring_, self, make, Deaths{}));
  site.daemon(
      client.place, "client", [runner = runners_.back().get()](Daemon& self) { runner->run(self); },
      client.path + ".place");
}

bool Deployment::write(NodeId node, MonholeWrite write) {
  return site_->hand_over(wiring_->address(design_.tree.mon(node)), std::move(write));
}

Deaths Deployment::deaths_of(Peer daemon) const {
  const auto hits = [&](const Failure& failure) {
    return std::ranges::count(victims(failure, design_.tree, places_), daemon) > 0;
  };
  return {failures_, hits, static_cast<std::size_t>(Mortals::node)};
}

} // namespace hypermon::supermon
