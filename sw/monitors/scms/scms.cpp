// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/scms.hpp"
#include "hw/machine/computers.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/scms/design_of.hpp"
#include "sw/monitors/scms/params.hpp"

#include <algorithm>

namespace hypermon::scms {

ScmsMonitor::ScmsMonitor(const Spec& spec, const std::optional<Dialogue>& dialogue)
    : spec_(spec), dialogue_(dialogue), design_(design_of(spec)), failures_(failures_of(spec, design_.tree)) {}

void ScmsMonitor::start(Site& site) {
  site_ = &site;
  plugins_.emplace(spec_.get<ScmsPluginParams>(), site);
  surroundings_.emplace(site, *plugins_);
  for (const PushText& push : pushes_of(spec_))
    design_.groups.push_back({push.period, plugins_->resources(push.resources, "scms.push")});
  const auto& params = spec_.get<ScmsParams>();
  const NetworkId network =
      site.network(network_names(spec_)[static_cast<std::size_t>(network_of(spec_))], "scms.network");
  wiring_.emplace(design_, *surroundings_, network, params.writes, places_of(spec_, design_.tree));
  for (std::uint32_t a = 0; a < design_.tree.agents(); ++a) {
    const bool is_cma = design_.tree.is_cma(Peer{a});
    agents_.push_back(std::make_unique<AgentDaemon>(*wiring_, Peer{a}, site.clock_at(wiring_->place(Peer{a})),
                                                    deaths_of(Peer{a}),
                                                    is_cma ? 0 : static_cast<std::size_t>(params.queue_messages)));
    site.working_set(wiring_->place(Peer{a}), is_cma ? "cma" : "sma", Bytes(params.memory_mb).number);
    site.daemon(
        wiring_->place(Peer{a}), is_cma ? "cma" : "sma",
        [agent = agents_.back().get()](Daemon& self) { agent->run(self); }, is_cma ? "nodes" : "scms.root_node");
  }
  plugins_->on_crash([this](NodeId node) {
    const Time after = spec_.get<ScmsPluginParams>().restart_s;
    agents_[hypermon::index(node)]->crash(after > Time{} ? after : Time::never());
  });
  clients_.start(spec_, site, *wiring_, *plugins_, dialogue_);
}

std::vector<Peer> ScmsMonitor::victims(const Failure& failure) const {
  if (mortal(failure) == Mortals::agent) return {Peer{failure.number}};
  if (mortal(failure) == Mortals::sma) return {design_.tree.sma(failure.number)};
  std::vector<Peer> on_node;
  const std::vector<Place> places = places_of(spec_, design_.tree);
  for (std::uint32_t a = 0; a < design_.tree.agents(); ++a)
    if (places[a] == Place::node(NodeId{failure.number})) on_node.push_back(Peer{a});
  return on_node;
}

Deaths ScmsMonitor::deaths_of(Peer agent) const {
  const auto hits = [&](const Failure& failure) { return std::ranges::count(victims(failure), agent) > 0; };
  return {failures_, hits, static_cast<std::size_t>(Mortals::node)};
}

} // namespace hypermon::scms

namespace hypermon {

MonitorKind scms_monitor();
MonitorKind scms_monitor() {
  return {.name = "scms",
          .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<scms::ScmsMonitor>(setting.spec, setting.options.dialogue);
          },
          .takes_calls = true};
}

} // namespace hypermon
