// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/clients.hpp"
#include "base/counters.hpp"
#include "base/file_parameter.hpp"
#include "hw/machine/front_end.hpp"
#include "hw/machine/several.hpp"
#include "sw/monitors/scms/clients/client_spec.hpp"
#include "sw/monitors/scms/clients/dialogue.hpp"
#include "sw/monitors/scms/clients/own_client.hpp"
#include "sw/monitors/scms/clients/result_keys.hpp"
#include "sw/monitors/scms/design_of.hpp"

#include <numeric>

namespace hypermon::scms {
namespace {

std::string resources_of(const ScmsClientParams& params) {
  if (!params.resources.empty()) return params.resources;
  return params.kind == ScmsClientKind::administrator ? "process.table" : "hardware.load";
}

bool is_there(const ScmsClientParams& params) {
  return params.kind == ScmsClientKind::program || Time(params.period_s) > Time{};
}

} // namespace

void Clients::start(const Spec& spec, Site& site, Wiring& wiring, const Plugins& plugins,
                    const std::optional<Dialogue>& dialogue) {
  wiring_ = &wiring;
  const auto& all = spec.get<ScmsClientSection>();
  for (std::size_t c = 0; c < static_cast<std::size_t>(all.count); ++c)
    if (is_there(all.instance(c))) start_kind(spec, all.instance(c), path_of("scms_client", all, c), site, plugins);
  const Place place = place_beside(spec, network_of(spec), "", "scms_client.place");
  changes_ = schedule_of(spec.get<ScmsPluginParams>(), spec.nodes);
  for (const Change& change : changes_) plugins.id(change.plugin, "scms_plugins.schedule");
  if (!changes_.empty()) start_operator(place, site, plugins);
  if (!dialogue) return;
  const Peer peer = wiring.add_client(place);
  site.daemon(
      place, "client",
      [&wiring, &plugins, peer, nodes = spec.nodes, own_dialogue = *dialogue](Daemon& self) {
        converse(self, wiring, peer, plugins, nodes, own_dialogue);
      },
      "scms_client.place");
}

void Clients::start_operator(const Place& place, Site& site, const Plugins& plugins) {
  const Peer peer = wiring_->add_client(place);
  site.daemon(
      place, "client",
      [this, &plugins, peer](Daemon& self) {
        Rmi rmi(self, *wiring_, peer, wiring_->design().tree.root(), Time{});
        carry_out(changes_, rmi, plugins);
      },
      "scms_client.place");
}

void Clients::start_kind(const Spec& spec, const ScmsClientParams& params, const std::string& path, Site& site,
                         const Plugins& plugins) {
  Group& group = *groups_.emplace_back(std::make_unique<Group>());
  group.kind.params = params;
  const Place place = place_beside(spec, network_of(spec), params.place, path + ".place");
  std::shared_ptr<OwnClient> own;
  if (params.kind == ScmsClientKind::program) {
    own = std::make_shared<OwnClient>(file_parameter(params.program)->path, path + ".program",
                                      site.folder() + "/client" + std::to_string(groups_.size() - 1) + ".txt");
  } else {
    group.kind.nodes = nodes_of_client(params, spec.nodes, path);
    group.kind.resources = plugins.resources(resources_of(params), path + ".resources");
    if (const auto counter = plugins.counter(group.kind.resources->front()))
      group.kind.truth = [&counters = site.counters(), id = CounterId{*counter}](NodeId node, Time now) {
        return counters.read(node, {}, id, now);
      };
  }
  for (std::int64_t c = 0; c < params.clients; ++c) {
    const Peer peer = wiring_->add_client(place);
    group.peers.push_back(peer);
    if (own) {
      site.daemon(
          place, "client",
          [this, &group, &plugins, own, peer, nodes = spec.nodes](Daemon& self) {
            group.status = own->run(self, *wiring_, peer, plugins, group.kind.params, nodes);
          },
          path + ".place");
      continue;
    }
    const auto seed = workloads::stream_seed(static_cast<std::uint64_t>(spec.seed), hypermon::scms::index(peer));
    Client& client =
        *group.clients.emplace_back(std::make_unique<Client>(group.kind, *wiring_, peer, site.clock_at(place), seed));
    site.daemon(
        place, "client", [&client](Daemon& self) { client.run(self); }, path + ".place");
  }
}

ResultRecords Clients::report() const {
  const auto& keys = scms_client_keys.clients;
  ResultRecords all(keys.list);
  for (const auto& group : groups_) {
    Traffic sum;
    for (const Peer peer : group->peers) {
      const Traffic& own = wiring_->traffic(peer);
      for (std::size_t k = 0; k < kinds; ++k) {
        sum.messages[k] += own.messages[k];
        sum.bytes[k] += own.bytes[k];
      }
      sum.cpu += own.cpu;
    }
    ResultValues values{keys.kind(word(group->kind.params.kind)), keys.clients(group->peers.size())};
    group->kind.outcome.add_to(values);
    values.push_back(keys.status(group->status));
    values.push_back(keys.messages(std::accumulate(sum.messages.begin(), sum.messages.end(), std::uint64_t{0})));
    values.push_back(keys.bytes(std::accumulate(sum.bytes.begin(), sum.bytes.end(), std::uint64_t{0})));
    values.push_back(keys.cpu_s(sum.cpu));
    all.add(values);
  }
  return all;
}

} // namespace hypermon::scms
