// SPDX-License-Identifier: BSD-3-Clause
// Components beside the machine and its program: networks, computers, file servers, other programs; and the conditions
// between them.
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/lan_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/neighbour_params.hpp"
#include "hw/machine/neighbour_spec.hpp"
#include "hw/machine/params.hpp"
#include "hw/machine/server_place.hpp"
#include "hw/machine/several.hpp"
#include "hw/machine/storage_params.hpp"

#include <algorithm>
#include <bit>

namespace hypermon {
namespace {

/// Checks that an instance has a name, which no other instance has.
void check_name(const std::string& path, const std::string& name, const std::vector<std::string>& taken) {
  if (name.empty() || std::find(taken.begin(), taken.end(), name) != taken.end())
    throw UserError(path + " = \"" + name + "\": must be a name that no other one has");
}

void check_lans(const Spec& spec) {
  const auto& lans = spec.get<LanSection>();
  if (lans.count > 0 && spec.get<MachineParams>().topology == Topology::xml)
    throw UserError("lan.count = " + std::to_string(lans.count) +
                    ": must be 0 with machine.topology = \"xml\", whose file has all networks");
  std::vector<std::string> names;
  check_name("network.name", spec.get<NetworkParams>().name, names);
  names.push_back(spec.get<NetworkParams>().name);
  for (std::size_t l = 0; l < static_cast<std::size_t>(lans.count); ++l) {
    const std::string path = path_of("lan", lans, l);
    check_name(path + ".name", name_among(lans, l), names);
    names.push_back(name_among(lans, l));
    if (lans.instance(l).fan_out == 1) throw UserError(path + ".fan_out = 1: must be 0 or from 2 to 4096");
  }
}

void check_beside(const Spec& spec) {
  const auto& machine = spec.get<MachineParams>();
  if (machine.beside == 0) return;
  const bool crossbar = machine.topology == Topology::hypercube || machine.topology == Topology::torus;
  if (machine.beside_on_network && crossbar)
    throw UserError("machine.beside_on_network = true: must be false with machine.topology = \"" +
                    std::string(word(machine.topology)) + "\", which has no switch for them");
  if (!machine.beside_on_network && spec.get<LanSection>().count == 0)
    throw UserError("machine.beside = " + std::to_string(machine.beside) +
                    ": no network reaches them; set lan.count or machine.beside_on_network");
}

void check_servers(const Spec& spec) {
  const auto& servers = spec.get<ServerSection>();
  const std::vector<std::string> networks = network_names(spec);
  std::vector<std::string> names;
  for (std::size_t s = 0; s < static_cast<std::size_t>(servers.count); ++s) {
    const ServerParams& own = servers.instance(s);
    const std::string path = path_of("server", servers, s);
    check_name(path + ".name", name_among(servers, s), names);
    names.push_back(name_among(servers, s));
    const NetworkId network = network_of(networks, own.network, path + ".network");
    Places(spec).check_reaches(network, place_of(own),
                               path + ".place = " + std::string(word(own.place)) +
                                   ", number = " + std::to_string(own.number));
  }
}

void check_neighbours(const Spec& spec) {
  const auto& neighbours = spec.get<NeighbourSection>();
  if (neighbours.count == 0) return;
  if (spec.workload == "stream")
    throw UserError("neighbour.count = " + std::to_string(neighbours.count) +
                    ": must be 0 with workload = stream, which has no machine");
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p)
    neighbour_spec(spec, p, path_of("neighbour", neighbours, p));
  const std::size_t all = computers_on_network(spec).size();
  if (spec.get<MachineParams>().topology == Topology::hypercube && !std::has_single_bit(all))
    throw UserError("neighbour.count = " + std::to_string(neighbours.count) +
                    ": with the program's own the hypercube has " + std::to_string(all) +
                    " nodes, which must be a power of two");
}

void check_all(const Spec& spec) {
  check_lans(spec);
  check_beside(spec);
  check_servers(spec);
  check_neighbours(spec);
}

std::vector<WithoutEffect> without_effect_beside(const Spec& spec) {
  std::vector<WithoutEffect> found;
  if (spec.get<LanSection>().count == 0) found.push_back({{"lan."}, "lan.count = 0"});
  if (spec.get<ServerSection>().count == 0) found.push_back({{"server.", "disk."}, "server.count = 0"});
  if (spec.get<NeighbourSection>().count == 0) found.push_back({{"neighbour."}, "neighbour.count = 0"});
  return found;
}

} // namespace

Part networks_part() {
  return {.sections = {several<LanParams>("lan", "Further networks beside that of the program's messages.",
                                          [](const Spec& spec, std::size_t one) {
                                            return beyond_count<LanSection>(spec, one, "lan.count");
                                          }),
                       several<ServerParams>("server", "File servers.",
                                             [](const Spec& spec, std::size_t one) {
                                               return beyond_count<ServerSection>(spec, one, "server.count");
                                             }),
                       several<DiskParams>("disk", "Disk of each file server.",
                                           [](const Spec& spec, std::size_t one) {
                                             return beyond_count<ServerSection>(spec, one, "server.count");
                                           }),
                       several<NeighbourParams>("neighbour",
                                                "Programs that run beside the monitored one, on their own nodes.",
                                                [](const Spec& spec, std::size_t one) {
                                                  return beyond_count<NeighbourSection>(spec, one, "neighbour.count");
                                                })},
          .check = check_all,
          .without_effect = without_effect_beside};
}

} // namespace hypermon
