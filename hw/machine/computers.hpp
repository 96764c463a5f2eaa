// SPDX-License-Identifier: BSD-3-Clause
// The computers of a machine and their places on the program's network: nodes of the monitored program, of its
// neighbours, the host, and computers beside the machine.
#pragma once
#include "base/several.hpp"
#include "base/spec.hpp"
#include "hw/machine/site.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermon {

/// Names of the computers in SimGrid.
std::string node_name(std::int64_t node);
std::string neighbour_name(std::size_t program, std::int64_t node);
std::string beside_name(std::int64_t computer);

/// The computers on the program's network, in the order of its topology. The host is not among them; it is connected to
/// node 0.
std::vector<std::string> computers_on_network(const Spec& spec);
/// The place of each of these computers in a topology of `places` places: machine.places, or one after the other.
/// Throws UserError unless machine.places names a different place for each computer.
std::vector<std::uint32_t> places_of_computers(const Spec& spec, std::int64_t places);

/// The name of one instance: its own, or the common one, to which all but the first append their number (ethernet,
/// ethernet1).
template <class Params> std::string name_among(const Several<Params>& all, std::size_t one) {
  const std::string& own = all.instance(one).name;
  return own == all.name && one > 0 ? own + std::to_string(one) : own;
}

/// The platform's networks, in the order of their numbers.
std::vector<std::string> network_names(const Spec& spec);
/// The network of that name. Throws UserError with `path`, the parameter that names it, and the list of networks.
NetworkId network_of(const std::vector<std::string>& names, const std::string& name, const std::string& path);

/// The places at which monitors can run processes: nodes of the monitored program, the host, computers beside the
/// machine.
class Places {
public:
  explicit Places(const Spec& spec);
  std::size_t count() const { return nodes_ + (has_host_ ? 1 : 0) + beside_; }
  /// Index in the order nodes, host, beside; empty if there is no such place.
  std::optional<std::size_t> find(const Place& place) const;
  /// The inverse of find().
  Place at(std::size_t number) const;
  bool reaches(NetworkId network, const Place& place) const;
  /// Throw a UserError that begins with `what` ("server.number = 3") if there is no such place, or if it is not on the
  /// network.
  void check(const Place& place, const std::string& what) const;
  void check_reaches(NetworkId network, const Place& place, const std::string& what) const;
  /// "node 3", "the host", "computer 0 beside the machine"
  static std::string text(const Place& place);

private:
  std::size_t nodes_;
  bool has_host_;
  std::size_t beside_;
  bool beside_on_network_;
};

} // namespace hypermon
