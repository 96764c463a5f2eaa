// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/topology.hpp"
#include "base/edit_distance.hpp"
#include "base/file_parameter.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/dimensions.hpp"
#include "hw/machine/params.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <fstream>
#include <map>
#include <set>

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

/// Reads a host file: the host of each rank, in the order of the lines. smpirun would stop at blanks around a name;
/// they are ignored here, as are lines that begin with #.
class HostList {
public:
  explicit HostList(const std::string& path) : path_(path) {
    std::ifstream file(path);
    if (!file) throw UserError("machine.hosts = " + path + ": cannot be read");
    std::string text;
    for (number_ = 1; std::getline(file, text); ++number_) line(text);
    if (hosts_.empty()) throw UserError("machine.hosts = " + path + ": names no host");
  }
  const std::vector<sg4::Host*>& hosts() const { return hosts_; }

private:
  static constexpr std::size_t most = 1U << 20U; // more than any machine has nodes

  void line(std::string text) {
    constexpr const char* blanks = " \t\r";
    text.erase(0, text.find_first_not_of(blanks));
    text.erase(text.find_last_not_of(blanks) + 1);
    if (text.empty() || text.front() == '#') return;
    if (std::ranges::any_of(text, [](unsigned char c) { return std::iscntrl(c) != 0; }))
      refuse("must be a text without control characters");
    const std::size_t colon = text.rfind(':');
    const std::string name = text.substr(0, colon);
    const std::size_t nodes = colon == std::string::npos ? 1 : count(text, text.substr(colon + 1));
    sg4::Host* const host = sg4::Host::by_name_or_null(name);
    if (host == nullptr) refuse(name + ": is not a host of machine.xml; the nearest name there is " + nearest(name));
    if (nodes > most - hosts_.size()) refuse(text + ": must be at most " + std::to_string(most) + " nodes in all");
    hosts_.insert(hosts_.end(), nodes, host);
  }
  static std::string nearest(const std::string& name) {
    std::vector<std::string> known;
    for (const sg4::Host* host : sg4::Engine::get_instance()->get_all_hosts()) known.push_back(host->get_name());
    return nearest_word(name, known);
  }
  std::size_t count(const std::string& text, const std::string& digits) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      refuse(text + ": must be host or host:N, with a whole number N of nodes");
    return value;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw UserError("machine.hosts = " + path_ + ": " + what + " (" + path_ + ", line " + std::to_string(number_) +
                    ")");
  }

  std::string path_;
  std::size_t number_ = 0;
  std::vector<sg4::Host*> hosts_;
};

/// Adds the nodes and the links between them.
sg4::NetZone* add_connected_nodes(sg4::NetZone* root, const Spec& spec) {
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

} // namespace

sg4::NetZone* add_nodes(sg4::NetZone* root, const Spec& spec) {
  sg4::NetZone* const network = add_connected_nodes(root, spec);
  if (spec.get<MachineParams>().links == Links::exclusive) // no other network is there yet
    for (sg4::Link* link : sg4::Engine::get_instance()->get_all_links())
      if (!link->get_name().starts_with(simgrid_compat::loopback)) link->set_concurrency_limit(1);
  return network;
}

std::vector<sg4::Host*> xml_hosts(const MachineParams& machine, std::size_t places, bool apart) {
  const std::string file = file_parameter(machine.xml)->path;
  std::vector<sg4::Host*> hosts = sg4::Engine::get_instance()->get_all_hosts();
  const std::string must = "machine.xml = " + file + ": must be a SimGrid platform: it has ";
  if (hosts.empty()) throw UserError(must + "no hosts");
  const auto named = file_parameter(machine.hosts);
  if (named) hosts = HostList(named->path).hosts();
  std::vector<sg4::Host*> taken(places);
  for (std::size_t i = 0; i < places; ++i) taken[i] = hosts[i % hosts.size()];
  const std::size_t different = std::set(taken.begin(), taken.end() - 1).size();
  if (apart && different + 1 < places) // the host rank may share a host
    throw UserError((named ? "machine.hosts = " + named->path + ": must name different hosts first: it has " : must) +
                    std::to_string(different) + " hosts, and neighbours and computers beside the machine need " +
                    std::to_string(places - 1));
  return taken;
}

} // namespace hypermon
