// SPDX-License-Identifier: BSD-3-Clause
// Which computers a machine has, and where they stand on the program's network: nodes of the monitored program, of its
// neighbours, the host, and computers beside the machine.
#pragma once
#include "base/several.hpp"
#include "base/spec.hpp"
#include "hw/machine/site.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermon {

/// What SimGrid calls them.
std::string node_name(std::int64_t node);
std::string neighbour_name(std::size_t program, std::int64_t node);
std::string beside_name(std::int64_t computer);

/// Those on the program's network, in the order of its topology: the host is not one of them, but hangs on node 0.
std::vector<std::string> computers_on_network(const Spec& spec);
/// The place of each of them in a topology of so many, machine.places or one after the other. Throws UserError if that
/// does not name a place for each, none twice.
std::vector<std::uint32_t> places_of_computers(const Spec& spec, std::int64_t places);

/// The name of one of several: its own, or that of all, from the second one on with its number (ethernet, ethernet1).
template <class Params> std::string name_among(const Several<Params>& all, std::size_t one) {
  const std::string& own = all.of(one).name;
  return own == all.name && one > 0 ? own + std::to_string(one) : own;
}

/// The platform's networks, in the order of their numbers.
std::vector<std::string> network_names(const Spec& spec);
/// That of the name. Throws UserError with `path`, the parameter that names it, and what networks there are.
NetworkId network_of(const std::vector<std::string>& names, const std::string& name, const std::string& path);

/// The places that monitors know: nodes of the monitored program, the host, computers beside.
class Places {
public:
  explicit Places(const Spec& spec);
  std::size_t count() const { return nodes_ + (has_host_ ? 1 : 0) + beside_; }
  /// In the order nodes, host, beside; nothing if there is no such place.
  std::optional<std::size_t> find(const Place& place) const;
  /// The inverse of find().
  Place at(std::size_t number) const;
  bool reaches(NetworkId network, const Place& place) const;
  /// Throw UserError that begins with `what` ("server.number = 3") if there is no such place; or if it is not on the
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
