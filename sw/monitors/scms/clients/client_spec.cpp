// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/client_spec.hpp"
#include "hw/machine/index_list.hpp"

#include <algorithm>

namespace hypermon::scms {

NodeSet nodes_of_client(const ScmsClientParams& params, std::int64_t nodes, const std::string& path) {
  if (params.nodes == "live") return nullptr;
  std::vector<NodeId> found;
  for (const std::uint32_t node : all_or_index_list(path + ".nodes", params.nodes, nodes, "live, or numbers of nodes"))
    found.push_back(NodeId{node});
  std::sort(found.begin(), found.end());
  return node_set(std::move(found));
}

} // namespace hypermon::scms
