// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/place_of_monitor.hpp"
#include "hw/machine/front_end.hpp"
#include "hw/machine/index_list.hpp"
#include "sw/monitors/hpvm/params.hpp"

namespace hypermon::hpvm {

Place place_of_monitor(const Spec& spec) {
  return place_beside(spec, network_of_monitor(spec), spec.get<HpvmParams>().monitor_node, "hpvm.monitor_node");
}

NetworkId network_of_monitor(const Spec& spec) {
  return network_beside(spec, spec.get<HpvmParams>().network, "hpvm.network");
}

std::vector<NodeId> nodes_to_ask(const Spec& spec) {
  std::vector<NodeId> nodes;
  for (const std::uint32_t n :
       all_or_index_list("hpvm.nodes", spec.get<HpvmParams>().nodes, spec.nodes, "numbers of nodes"))
    nodes.push_back(NodeId{n});
  return nodes;
}

} // namespace hypermon::hpvm
