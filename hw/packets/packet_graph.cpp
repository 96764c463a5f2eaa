// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/packet_graph.hpp"
#include "base/file_parameter.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/dimensions.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/neighbour_params.hpp"
#include "hw/packets/core/graph_file.hpp"
#include "hw/packets/core/topologies.hpp"

#include <bit>
#include <fstream>
#include <map>
#include <stdexcept>
#include <utility>

namespace hypermon {
namespace {

using piosim::NetworkGraph;
using piosim::star_graph;
using piosim::StationAt;

constexpr std::uint64_t most_edges = 1'000'000;

std::vector<std::string> names_of_servers(const PfsParams& pfs) {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < pfs.stations(); ++s) names.push_back("server" + std::to_string(s));
  return names;
}

std::vector<std::string> names_of_stations(const Spec& spec, std::size_t places) {
  std::vector<std::string> names;
  for (std::int64_t n = 0; n < spec.nodes; ++n) names.push_back(node_name(n));
  if (places > places_without_host(spec)) names.emplace_back("host");
  const auto& neighbours = spec.get<NeighbourSection>();
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p)
    for (std::int64_t n = 0; n < neighbours.instance(p).nodes; ++n) names.push_back(neighbour_name(p, n));
  for (std::string& name : names_of_servers(spec.get<PfsParams>())) names.push_back(std::move(name));
  return names;
}

/// Nodes of programs have places of their own. The host is connected at node 0's place; the servers' own computers are
/// connected at places that are spread evenly.
std::vector<StationAt> stations_at(const Spec& spec, std::size_t places, std::uint32_t all_places) {
  const std::vector<std::string> computers = computers_on_network(spec);
  const std::vector<std::uint32_t> taken = places_of_computers(spec, all_places);
  std::map<std::string, std::uint32_t> place_of;
  for (std::size_t c = 0; c < computers.size(); ++c) place_of.emplace(computers[c], taken[c]);
  const auto servers = spec.get<PfsParams>().stations();
  std::size_t server = 0;
  std::vector<StationAt> stations;
  for (std::string& name : names_of_stations(spec, places)) {
    const auto own = place_of.find(name);
    if (own != place_of.end())
      stations.push_back({std::move(name), own->second, false});
    else if (name == "host")
      stations.push_back({std::move(name), place_of.at(node_name(0)), true});
    else
      stations.push_back({std::move(name), static_cast<std::uint32_t>(server++ * all_places / servers), true});
  }
  return stations;
}

void check_size(const MachineParams& machine, std::uint64_t edges) {
  if (edges > most_edges)
    throw UserError("machine.dimensions = \"" + machine.dimensions +
                    "\": the network of packets would have more than " + std::to_string(most_edges) + " edges");
}

std::uint32_t product(const MachineParams& machine, const std::vector<unsigned>& sizes) {
  std::uint64_t all = 1;
  for (const unsigned size : sizes) check_size(machine, all *= size);
  return static_cast<std::uint32_t>(all);
}

NetworkGraph lattice(const Spec& spec, std::size_t places, const std::vector<unsigned>& sizes) {
  const std::uint32_t all_places = product(spec.get<MachineParams>(), sizes);
  check_size(spec.get<MachineParams>(), std::uint64_t{all_places} * sizes.size());
  return lattice_graph(spec.get<PacketParams>(), sizes, stations_at(spec, places, all_places));
}

NetworkGraph hypercube(const Spec& spec, std::size_t places) {
  const auto computers = static_cast<std::uint64_t>(computers_on_network(spec).size());
  return lattice(spec, places, std::vector<unsigned>(static_cast<std::size_t>(std::countr_zero(computers)), 2));
}

NetworkGraph fat_tree(const Spec& spec, std::size_t places) {
  const Dimensions d = dimensions_of(spec);
  const std::uint32_t all_places = product(spec.get<MachineParams>(), d.sizes);
  std::uint64_t vertices = all_places;
  std::uint64_t edges = 0;
  for (std::size_t level = 0; level < d.sizes.size(); ++level) {
    edges += vertices * d.parents[level] * d.cables[level];
    check_size(spec.get<MachineParams>(), edges);
    vertices = vertices / d.sizes[level] * d.parents[level];
  }
  return tree_graph(spec.get<PacketParams>(), {d.sizes, d.parents, d.cables}, stations_at(spec, places, all_places));
}

NetworkGraph user_graph(const Spec& spec, std::size_t places) {
  const auto& packets = spec.get<PacketParams>();
  const auto given = file_parameter(packets.graph);
  if (!given)
    throw UserError("packets.graph = \"" + packets.graph + "\": must name a file with packets.topology = \"graph\"");
  std::ifstream file(given->path);
  if (!file) throw UserError("packets.graph = " + given->path + ": cannot be read");
  return piosim::read_graph(file, given->path, packets, names_of_stations(spec, places));
}

NetworkGraph as_the_machine(const Spec& spec, std::size_t places) {
  switch (spec.get<MachineParams>().topology) {
  case Topology::hypercube:
    return hypercube(spec, places);
  case Topology::torus:
    return lattice(spec, places, dimensions_of(spec).sizes);
  case Topology::fat_tree:
    return fat_tree(spec, places);
  case Topology::star:
    return star_graph(spec.get<PacketParams>(), names_of_stations(spec, places));
  case Topology::xml:
    throw UserError("packets.topology = \"machine\": must be star or graph with machine.topology = \"xml\"; SimGrid's "
                    "files say nothing of switches");
  }
  throw std::logic_error("a topology without a network of packets");
}

} // namespace

std::size_t places_without_host(const Spec& spec) {
  auto all = static_cast<std::size_t>(spec.nodes);
  const auto& neighbours = spec.get<NeighbourSection>();
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p)
    all += static_cast<std::size_t>(neighbours.instance(p).nodes);
  return all;
}

NetworkGraph packet_graph(const Spec& spec, std::size_t places) {
  const auto& packets = spec.get<PacketParams>();
  if (packets.network != PacketModel::packets) return star_graph(packets, names_of_stations(spec, places));
  NetworkGraph graph = packets.topology == PacketTopology::graph  ? user_graph(spec, places)
                       : packets.topology == PacketTopology::star ? star_graph(packets, names_of_stations(spec, places))
                                                                  : as_the_machine(spec, places);
  graph.outages = piosim::outages_of(packets.outages, graph);
  if (packets.interfaces == Interfaces::rank)
    graph.interfaces.assign(static_cast<std::size_t>(spec.nodes),
                            static_cast<std::uint32_t>(spec.get<CpuParams>().ranks_per_node));
  return graph;
}

} // namespace hypermon
