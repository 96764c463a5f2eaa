#include "sw/monitors/scms/clients/clients.hpp"
#include "platforms/machine/index_list.hpp"

#include <algorithm>

namespace hypermon::scms {

void Clients::start(const Spec& spec, Site& site, Wiring& wiring, const Plugins& plugins) {
  const auto& params = spec.get<ScmsClientParams>();
  if (Time(params.period_s) == Time{}) return;
  auto& client = *all_.emplace_back(std::make_unique<Client>());
  client.params = params;
  client.resources = plugins.resources(params.resources, "scms_client.resources");
  std::vector<NodeId> nodes;
  for (const std::uint32_t n : all_or_index_list("scms_client.nodes", params.nodes, spec.nodes, "numbers of nodes"))
    nodes.push_back(NodeId{n});
  std::sort(nodes.begin(), nodes.end());
  client.nodes = node_set(std::move(nodes));
  const Place place = wiring.place(wiring.design().tree.root());
  const Peer peer = wiring.add_client(place);
  site.daemon(
      place, "client", [&wiring, &client, peer](Daemon& self) { ask(self, wiring, client, peer); }, "scms.root_node");
}

void Clients::ask(Daemon& self, Wiring& wiring, Client& client, Peer peer) {
  const Tree& tree = wiring.design().tree;
  Rmi rmi(self, wiring, peer, tree.sma(static_cast<std::uint32_t>(client.params.sma)), Time{});
  const Mode mode = client.params.mode == ScmsMode::synchronous ? Mode::synchronous : Mode::asynchronous;
  for (Time next = client.params.period_s;; next += client.params.period_s) {
    self.sleep_until(next);
    const Answer answer = rmi.get(client.nodes, client.resources, mode);
    ++client.answers;
    client.waited += answer.answered - answer.asked;
    client.longest = std::max(client.longest, answer.answered - answer.asked);
    for (const Value& value : answer.rows.values) {
      if (value.state != State::ok) {
        ++client.missing;
        continue;
      }
      ++client.values;
      client.ages += answer.answered - value.taken;
      client.oldest = std::max(client.oldest, answer.answered - value.taken);
    }
  }
}

nlohmann::ordered_json Clients::report() const {
  using Json = nlohmann::ordered_json;
  auto json = Json::array();
  const auto mean = [](Time sum, std::uint64_t count) {
    return count == 0 ? Json() : Json(sum.seconds() / static_cast<double>(count));
  };
  for (const auto& client : all_)
    json.push_back({{"requests", client->answers},
                    {"missing", client->missing},
                    {"mean_s", mean(client->waited, client->answers)},
                    {"longest_s", client->answers == 0 ? Json() : Json(client->longest.seconds())},
                    {"mean_age_s", mean(client->ages, client->values)},
                    {"oldest_s", client->values == 0 ? Json() : Json(client->oldest.seconds())}});
  return json;
}

} // namespace hypermon::scms
