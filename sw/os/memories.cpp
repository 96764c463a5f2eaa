// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/memories.hpp"
#include "base/spec.hpp"
#include "hw/machine/competitors.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/memory_params.hpp"

#include <utility>

namespace hypermon {

Memories::Memories(const Spec& spec) : ranks_per_node_(static_cast<int>(spec.get<CpuParams>().ranks_per_node)) {
  const auto& params = spec.get<MemoryParams>();
  if (!(params.node_mb > 0)) return;
  const MemoryDesign design{.bytes = Bytes(params.node_mb).number,
                            .page = params.page_bytes.number,
                            .sweep_bytes_per_s = params.sweep_mb_per_s * 1e6};
  page_read_ = params.read_ms;
  page_touch_ = params.touch_us;
  stretch_ = params.stretch_ms;
  std::vector<std::vector<NodeMemory::Bystander>> bystanders(static_cast<std::size_t>(spec.nodes));
  for (const CompetitorKind& kind : competitor_kinds(spec))
    for (const std::uint32_t node : kind.nodes)
      bystanders[node].push_back({kind.name, kind.memory_bytes, kind.threads.front().begin, kind.threads.front().end});
  for (auto& own : bystanders) nodes_.emplace_back(design, std::move(own), static_cast<std::size_t>(ranks_per_node_));
}

void Memories::add_bystander(NodeId node, const std::string& name, std::int64_t bytes) {
  if (!nodes_.empty()) nodes_[index(node)].add({name, bytes});
}

} // namespace hypermon
