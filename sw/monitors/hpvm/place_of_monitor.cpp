#include "sw/monitors/hpvm/place_of_monitor.hpp"
#include "platforms/machine/computers.hpp"
#include "platforms/machine/index_list.hpp"
#include "sw/model/user_error.hpp"
#include "sw/monitors/hpvm/params.hpp"

namespace hypermon::hpvm {

Place place_of_monitor(const Spec& spec) {
  const std::string& text = spec.get<HpvmParams>().monitor_node;
  const Place beside{Place::Kind::beside, 0};
  if (text == "beside") return beside;
  if (text.empty()) {
    const Places places(spec);
    return places.find(beside) && places.reaches(network_of_monitor(spec), beside) ? beside : Place::of(NodeId{});
  }
  const auto numbers = index_list("hpvm.monitor_node", text, spec.nodes, "beside, or the number of one node");
  if (numbers.size() != 1)
    throw UserError("hpvm.monitor_node = \"" + text + "\": must be beside, or the number of one node");
  return Place::of(NodeId{numbers[0]});
}

NetworkId network_of_monitor(const Spec& spec) {
  const std::vector<std::string> names = network_names(spec);
  const std::string& name = spec.get<HpvmParams>().network;
  if (name.empty()) return NetworkId{names.size() > 1 ? 1U : 0U};
  return network_of(names, name, "hpvm.network");
}

std::vector<NodeId> nodes_to_ask(const Spec& spec) {
  std::vector<NodeId> nodes;
  for (const std::uint32_t n :
       all_or_index_list("hpvm.nodes", spec.get<HpvmParams>().nodes, spec.nodes, "numbers of nodes"))
    nodes.push_back(NodeId{n});
  return nodes;
}

} // namespace hypermon::hpvm
