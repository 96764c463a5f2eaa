// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose working sets are not all in their node's memory: they compute in stretches, and wait after each for the
// pages that they missed in it.
#include "hw/machine/competitors.hpp"
#include "hw/machine/memory.hpp"
#include "hw/machine/memory_params.hpp"
#include "sw/os/nx2.hpp"

namespace hypermon {

void Nx2::give_memory(const Spec& spec) {
  const auto& params = spec.get<MemoryParams>();
  if (!(params.node_mb > 0)) return;
  const MemoryDesign design{.bytes = Bytes(params.node_mb).number,
                            .page = params.page_bytes.number,
                            .sweep_bytes_per_s = params.sweep_mb_per_s * 1e6};
  page_read_ = params.read_ms;
  page_touch_ = params.touch_us;
  stretch_ = params.stretch_ms;
  std::vector<std::vector<NodeMemory::Bystander>> bystanders(static_cast<std::size_t>(nodes_));
  for (const CompetitorKind& kind : competitor_kinds(spec))
    for (const std::uint32_t node : kind.nodes)
      bystanders[node].push_back({kind.name, kind.memory_bytes, kind.threads.front().begin, kind.threads.front().end});
  for (auto& own : bystanders)
    memories_.emplace_back(design, std::move(own), static_cast<std::size_t>(ranks_per_node_));
}

void Nx2::add_bystander(NodeId node, const std::string& name, std::int64_t bytes) {
  if (!memories_.empty()) memories_[index(node)].add({name, bytes});
}

const NodeMemory* Nx2::memory(NodeId node) const { return memories_.empty() ? nullptr : &memories_[index(node)]; }

NodeMemory* Nx2::memory_of(const RankState& rank) {
  return memories_.empty() || !rank.instrumented ? nullptr : &memories_[index(rank.kernel->node())];
}

std::size_t Nx2::on_its_node(const RankState& rank) const {
  return static_cast<std::size_t>(rank.rank % ranks_per_node_);
}

void Nx2::set_working_set(RankState& rank, std::int64_t bytes) {
  NodeMemory* memory = memory_of(rank);
  if (memory == nullptr) return;
  if (const std::int64_t first = memory->resize(on_its_node(rank), bytes); first > 0 && page_touch_ > Time{})
    compute(rank, page_touch_ * first, WorkOf::system);
}

void Nx2::compute_paging(RankState& rank, Time work) {
  for (Time left = work; left > Time{};) {
    const Time piece = std::min(left, stretch_);
    compute_in_one(rank, piece);
    await_pages(rank, piece);
    left -= piece;
  }
}

void Nx2::await_pages(RankState& rank, Time work) {
  const std::int64_t missed = memory_of(rank)->misses(on_its_node(rank), work, now());
  if (missed == 0) return;
  rank.paging += page_read_ * missed;
  rest_until(rank, now() + page_read_ * missed);
}

} // namespace hypermon
