// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/front_end.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/index_list.hpp"

namespace hypermon {

NetworkId network_beside(const Spec& spec, const std::string& name, const std::string& path) {
  const std::vector<std::string> names = network_names(spec);
  if (name.empty()) return NetworkId{names.size() > 1 ? 1U : 0U};
  return network_of(names, name, path);
}

Place place_beside(const Spec& spec, NetworkId network, const std::string& text, const std::string& path) {
  const Place beside{Place::Kind::beside, 0};
  if (text == "beside") return beside;
  if (text.empty()) {
    const Places places(spec);
    return places.find(beside) && places.reaches(network, beside) ? beside : Place::node(NodeId{});
  }
  const auto numbers = index_list(path, text, spec.nodes, "beside, or the number of one node");
  if (numbers.size() != 1) throw UserError(path + " = \"" + text + "\": must be beside, or the number of one node");
  return Place::node(NodeId{numbers[0]});
}

} // namespace hypermon
