// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/computers.hpp"
#include "base/listing.hpp"
#include "base/user_error.hpp"
#include "hw/machine/index_list.hpp"
#include "hw/machine/lan_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/neighbour_params.hpp"
#include "hw/machine/params.hpp"

#include <algorithm>
#include <numeric>

namespace hypermon {
namespace {

/// One of `of` nodes that are to be spread evenly.
struct Spread {
  std::string name;
  std::int64_t number;
  std::int64_t total;
  /// Orders by the middle of each node's share; equal ones by program.
  bool operator<(const Spread& other) const { return (2 * number + 1) * other.total < (2 * other.number + 1) * total; }
};

} // namespace

std::string node_name(std::int64_t node) { return "node" + std::to_string(node); }
std::string neighbour_name(std::size_t program, std::int64_t node) {
  return "neighbour" + std::to_string(program) + "_" + node_name(node);
}
std::string beside_name(std::int64_t computer) { return "beside" + std::to_string(computer); }

std::vector<std::string> computers_on_network(const Spec& spec) {
  std::vector<Spread> among;
  std::vector<std::string> behind;
  for (std::int64_t n = 0; n < spec.nodes; ++n) among.push_back({node_name(n), n, spec.nodes});
  const auto& neighbours = spec.get<NeighbourSection>();
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p) {
    const NeighbourParams& own = neighbours.instance(p);
    for (std::int64_t n = 0; n < own.nodes; ++n)
      if (own.placement == Placement::among)
        among.push_back({neighbour_name(p, n), n, own.nodes});
      else
        behind.push_back(neighbour_name(p, n));
  }
  std::stable_sort(among.begin(), among.end());
  std::vector<std::string> all;
  all.reserve(among.size() + behind.size());
  for (Spread& computer : among) all.push_back(std::move(computer.name));
  all.insert(all.end(), behind.begin(), behind.end());
  const auto& machine = spec.get<MachineParams>();
  for (std::int64_t b = 0; machine.beside_on_network && b < machine.beside; ++b) all.push_back(beside_name(b));
  return all;
}

std::vector<std::uint32_t> places_of_computers(const Spec& spec, std::int64_t places) {
  const std::string& text = spec.get<MachineParams>().places;
  const std::size_t computers = computers_on_network(spec).size();
  if (text.empty()) {
    std::vector<std::uint32_t> found(computers);
    std::iota(found.begin(), found.end(), 0U);
    return found;
  }
  auto found = index_list("machine.places", text, places, "places");
  const auto refuse = [&](const std::string& why) {
    throw UserError("machine.places = \"" + text + "\": must be " + why);
  };
  if (found.size() != computers)
    refuse(std::to_string(computers) + " places, for nodes, neighbours and computers beside; these are " +
           std::to_string(found.size()));
  auto sorted = found;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) refuse("a place for each; one is there twice");
  return found;
}

std::vector<std::string> network_names(const Spec& spec) {
  std::vector<std::string> names{spec.get<NetworkParams>().name};
  const auto& lans = spec.get<LanSection>();
  for (std::size_t l = 0; l < static_cast<std::size_t>(lans.count); ++l) names.push_back(name_among(lans, l));
  return names;
}

NetworkId network_of(const std::vector<std::string>& names, const std::string& name, const std::string& path) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return NetworkId{static_cast<std::uint32_t>(found - names.begin())};
  std::string all;
  for (const std::string& known : names) add_to_list(all, known);
  throw UserError(path + " = \"" + name + "\": must be a network of the platform: " + all);
}

Places::Places(const Spec& spec)
    : nodes_(static_cast<std::size_t>(spec.nodes)), has_host_(spec.get<MachineParams>().topology != Topology::xml),
      beside_(static_cast<std::size_t>(spec.get<MachineParams>().beside)),
      beside_on_network_(spec.get<MachineParams>().beside_on_network) {}

std::optional<std::size_t> Places::find(const Place& place) const {
  const std::size_t host = has_host_ ? 1 : 0;
  if (place.kind == Place::Kind::node && place.number < nodes_) return place.number;
  if (place.kind == Place::Kind::host && place.number < host) return nodes_;
  if (place.kind == Place::Kind::beside && place.number < beside_) return nodes_ + host + place.number;
  return std::nullopt;
}

Place Places::at(std::size_t number) const {
  const auto from = [number](std::size_t first) { return static_cast<std::uint32_t>(number - first); };
  if (number < nodes_) return {Place::Kind::node, from(0)};
  if (has_host_ && number == nodes_) return {Place::Kind::host, 0};
  return {Place::Kind::beside, from(nodes_ + (has_host_ ? 1 : 0))};
}

bool Places::reaches(NetworkId network, const Place& place) const {
  return find(place) && (network != NetworkId{} || place.kind != Place::Kind::beside || beside_on_network_);
}

void Places::check(const Place& place, const std::string& what) const {
  if (find(place)) return;
  const auto numbers = [](std::size_t count) {
    return count == 1 ? std::string(" 0") : "s 0 to " + std::to_string(count - 1);
  };
  throw UserError(what + ": the machine has no " + (place.kind == Place::Kind::host ? "host" : text(place)) +
                  ", but node" + numbers(nodes_) + (has_host_ ? ", a host" : "") +
                  (beside_ > 0 ? ", computer" + numbers(beside_) + " beside it" : ""));
}

void Places::check_reaches(NetworkId network, const Place& place, const std::string& what) const {
  check(place, what);
  if (!reaches(network, place))
    throw UserError(what + ": " + text(place) +
                    " is not on the program's network: set machine.beside_on_network, or name a lan");
}

std::string Places::text(const Place& place) {
  if (place.kind == Place::Kind::host) return "the host";
  const std::string number = std::to_string(place.number);
  return place.kind == Place::Kind::node ? "node " + number : "computer " + number + " beside the machine";
}

} // namespace hypermon
