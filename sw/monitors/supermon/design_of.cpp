// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/design_of.hpp"
#include "base/plain_number.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/front_end.hpp"
#include "hw/machine/index_list.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/several.hpp"
#include "sw/monitors/supermon/client_params.hpp"
#include "sw/monitors/supermon/monhole/monhole_part.hpp"
#include "sw/monitors/supermon/params.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace hypermon::supermon {
namespace {

std::vector<std::string> words_in(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::string> counters_of(const SupermonClientParams& client, const std::vector<std::string>& offered,
                                     const std::string& path) {
  if (client.counters == "all") return offered;
  if (client.counters == "none") return {};
  std::vector<std::string> wanted = words_in(client.counters);
  for (const std::string& counter : wanted)
    if (std::find(offered.begin(), offered.end(), counter) == offered.end())
      throw UserError(path + ".counters = \"" + client.counters + "\": must be all, none, or of supermon.counters; " +
                      counter + " is not");
  return wanted;
}

NodeRuns nodes_of(const SupermonClientParams& client, std::int64_t nodes, const std::string& path) {
  NodeRuns found;
  for (const std::uint32_t node : all_or_index_list(path + ".nodes", client.nodes, nodes, "numbers of nodes"))
    found = found.united(NodeRuns::single(NodeId{node}));
  return found;
}

} // namespace

Design design_of(const Spec& spec) {
  const auto& p = spec.get<SupermonParams>();
  return {.tree = Tree(static_cast<std::uint32_t>(spec.nodes), static_cast<std::uint32_t>(p.fan_out)),
          .costs = {.message = p.message_us,
                    .parse_ns = p.parse_ns.number,
                    .print_ns = p.print_ns.number,
                    .kernel = p.kernel_us,
                    .monhole = p.take_us},
          .timeout = p.timeout_ms,
          .retry = p.retry_ms,
          .repair = p.repair};
}

NetworkId network_of(const Spec& spec) {
  return network_beside(spec, spec.get<SupermonParams>().network, "supermon.network");
}

std::vector<Place> places_of(const Spec& spec, const Tree& tree) {
  const auto& params = spec.get<SupermonParams>();
  const NetworkId network = network_of(spec);
  const Place root = place_beside(spec, network, params.root, "supermon.root");
  const auto beside = static_cast<std::uint32_t>(spec.get<MachineParams>().beside);
  const bool are_beside = beside > 0 && Places(spec).reaches(network, {Place::Kind::beside, 0});
  std::vector<Place> places;
  for (std::uint32_t n = 0; n < tree.nodes(); ++n) places.push_back(Place::node(NodeId{n}));
  places.push_back(root);
  for (std::uint32_t s = 1; s < tree.supermons(); ++s) {
    if (params.supermons == SupermonPlaces::first_node)
      places.push_back(Place::node(tree.below(tree.supermon(s)).nodes().front()));
    else
      places.push_back(are_beside ? Place{Place::Kind::beside, s % beside} : root);
  }
  return places;
}

std::vector<Failure> failures_of(const Spec& spec, const Tree& tree) {
  const std::string program = spec.workload == "idle" ? "" : spec.workload;
  return hypermon::failures_of("supermon.failures", spec.get<SupermonParams>().failures,
                               {{"mon", "nodes", tree.nodes()},
                                {"supermon", "supermons", tree.supermons()},
                                {"node", "nodes", tree.nodes(), program}});
}

std::vector<Peer> victims(const Failure& failure, const Tree& tree, const std::vector<Place>& places) {
  if (mortal(failure) == Mortals::mon) return {tree.mon(NodeId{failure.number})};
  if (mortal(failure) == Mortals::supermon) return {tree.supermon(failure.number)};
  std::vector<Peer> on_node;
  for (std::uint32_t d = 0; d < tree.daemons(); ++d)
    if (places[d] == Place::node(NodeId{failure.number})) on_node.push_back(Peer{d});
  return on_node;
}

std::vector<ClientDesign> clients_of(const Spec& spec) {
  const auto& all = spec.get<SupermonClientSection>();
  const std::vector<std::string> offered = words_in(spec.get<SupermonParams>().counters);
  const NetworkId network = network_of(spec);
  std::vector<ClientDesign> clients;
  for (std::size_t k = 0; k < static_cast<std::size_t>(all.count); ++k) {
    const SupermonClientParams& own = all.instance(k);
    const std::string path = path_of("supermon_client", all, k);
    ClientDesign client{.path = path,
                        .place = place_beside(spec, network, own.place, path + ".place"),
                        .setting = {.begin = own.begin_s, .period = own.period_s},
                        .byte_ns = own.byte_ns.number,
                        .is_logged = own.log};
    Places(spec).check_reaches(network, client.place, path + ".place = \"" + own.place + "\"");
    if (own.end_s.number > 0) {
      if (own.end_s.number < own.begin_s.number)
        throw UserError(path + ".end_s = " + plain_number(own.end_s.number) + ": must not be earlier than " + path +
                        ".begin_s = " + plain_number(own.begin_s.number));
      client.setting.end = own.end_s;
    }
    client.setting.query.nodes = nodes_of(own, spec.nodes, path);
    client.setting.query.counters = counters_of(own, offered, path);
    client.setting.query.monhole = own.monhole;
    client.setting.query.combine = own.combine;
    client.setting.sample = {own.share, own.sampling, 0};
    clients.insert(clients.end(), static_cast<std::size_t>(own.clients), client);
  }
  constexpr std::uint64_t apart = 1'000'003; // distance of the clients' seeds: a prime
  for (std::size_t c = 0; c < clients.size(); ++c)
    clients[c].setting.sample.seed = static_cast<std::uint64_t>(spec.seed) * apart + c;
  return clients;
}

std::optional<SamplingInterval> sampling_interval(const Spec& spec) {
  std::optional<SamplingInterval> shortest;
  for (const ClientDesign& client : clients_of(spec)) {
    const SinkSetting& setting = client.setting;
    const bool asks_once = setting.end > Time{} && setting.end < setting.begin + setting.period;
    if (!asks_once && (!shortest || setting.period < shortest->length))
      shortest = SamplingInterval{client.path + ".period_s", setting.period};
  }
  return shortest;
}

void check_supermon(const Spec& spec) {
  const Tree tree = design_of(spec).tree;
  failures_of(spec, tree);
  const auto& params = spec.get<SupermonParams>();
  Places(spec).check_reaches(network_of(spec), places_of(spec, tree)[index(tree.root())],
                             "supermon.root = \"" + params.root + "\"");
  clients_of(spec);
  check_monhole(spec);
}

} // namespace hypermon::supermon
