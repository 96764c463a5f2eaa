// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/topology.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/dimensions.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/params.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace hypermon {
namespace sg4 = simgrid::s4u;
namespace {

/// The host at a place on the network. Free places get unused hosts, such as the second one of a torus of one node.
simgrid_compat::Names names_on(const Spec& spec) {
  const std::vector<std::string> computers = computers_on_network(spec);
  const std::vector<std::uint32_t> places = places_of_computers(spec, std::int64_t{1} << 32U);
  std::map<unsigned long, std::string> taken;
  for (std::size_t c = 0; c < computers.size(); ++c) taken.emplace(places[c], computers[c]);
  return [taken](unsigned long place) {
    const auto found = taken.find(place);
    return found != taken.end() ? found->second : "free" + std::to_string(place);
  };
}

/// e-cube routes, lowest differing bit first; one full-duplex link per edge.
sg4::NetZone* add_hypercube(sg4::NetZone* root, const Spec& spec, const simgrid_compat::Cables& cables) {
  const auto computers = static_cast<std::uint64_t>(computers_on_network(spec).size());
  const int dimension = std::max(1, std::countr_zero(computers)); // a torus needs an edge
  return simgrid_compat::add_torus(
      root, "hypercube", std::vector<unsigned long>(static_cast<std::size_t>(dimension), 2), cables, names_on(spec));
}

sg4::NetZone* add_torus(sg4::NetZone* root, const Spec& spec, const simgrid_compat::Cables& cables) {
  std::vector<unsigned long> sizes;
  for (const unsigned size : dimensions_of(spec).sizes)
    if (size > 1) sizes.push_back(size); // a dimension of one node has no edge
  if (sizes.empty()) sizes.push_back(2);
  return simgrid_compat::add_torus(root, "torus", sizes, cables, names_on(spec));
}

} // namespace

sg4::NetZone* add_nodes(sg4::NetZone* root, const Spec& spec) {
  const simgrid_compat::Cables cables{spec.get<NetworkParams>().bandwidth_mb_per_s * 1e6,
                                      spec.get<NetworkParams>().short_hop_us.seconds()};
  if (spec.get<MachineParams>().topology == Topology::torus) return add_torus(root, spec, cables);
  if (spec.get<MachineParams>().topology == Topology::fat_tree) {
    const Dimensions d = dimensions_of(spec);
    return simgrid_compat::add_fat_tree(root, "fat_tree", {d.sizes, d.parents, d.cables}, cables, names_on(spec));
  }
  if (spec.get<MachineParams>().topology == Topology::star)
    return simgrid_compat::add_star(root, "star", computers_on_network(spec).size(), cables, names_on(spec));
  return add_hypercube(root, spec, cables);
}

std::vector<sg4::Host*> xml_hosts(const std::string& file, std::size_t places, bool apart) {
  const std::vector<sg4::Host*> hosts = sg4::Engine::get_instance()->get_all_hosts();
  const std::string must = "machine.xml = " + file + ": must be a SimGrid platform: it has ";
  if (hosts.empty()) throw UserError(must + "no hosts");
  if (apart && hosts.size() + 1 < places) // the host rank may share a host
    throw UserError(must + std::to_string(hosts.size()) +
                    " hosts, and neighbours and computers beside the machine need " + std::to_string(places - 1));
  std::vector<sg4::Host*> taken(places);
  for (std::size_t i = 0; i < places; ++i) taken[i] = hosts[i % hosts.size()];
  return taken;
}

} // namespace hypermon
