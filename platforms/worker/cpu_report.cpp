// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/cpu_report.hpp"
#include "hw/machine/memory.hpp"

namespace hypermon {
namespace {

/// Null for a node that nobody shared.
Json node(const NodeAccounts& accounts) {
  if (accounts.processors.empty()) return nullptr;
  ProcessorTimes sum;
  for (const ProcessorTimes& p : accounts.processors) {
    sum.working += p.working;
    sum.kernel += p.kernel;
    sum.switching += p.switching;
    sum.idle += p.idle;
    sum.switches += p.switches;
  }
  return {{"working_s", sum.working.seconds()},
          {"kernel_s", sum.kernel.seconds()},
          {"switching_s", sum.switching.seconds()},
          {"idle_s", sum.idle.seconds()},
          {"switches", sum.switches}};
}

} // namespace

void report_processors(Json& result, const OperatingSystem& os) {
  if (os.program.node_accounts().empty()) return;
  Json nodes = Json::array();
  for (const NodeAccounts& accounts : os.program.node_accounts()) nodes.push_back(node(accounts));
  Json ranks = Json::array();
  for (const RankState& rank : os.ranks.all()) {
    if (!rank.instrumented) continue;
    if (!rank.task) {
      ranks.push_back(nullptr);
      continue;
    }
    const RankAccounts& a = os.program.rank_accounts()[static_cast<std::size_t>(rank.rank)];
    ranks.push_back({{"used_s", a.used.seconds()}, {"waited_s", a.waited.seconds()}, {"switches", a.switches}});
  }
  result["cpu"] = {{"nodes", std::move(nodes)}, {"ranks", std::move(ranks)}};
}

void report_memory(Json& result, const OperatingSystem& os) {
  if (os.memories.of(NodeId{0}) == nullptr) return;
  Json ranks = Json::array();
  for (const RankState& rank : os.ranks.all()) {
    if (!rank.instrumented) continue;
    const NodeMemory& memory = *os.memories.of(rank.kernel->node());
    const std::size_t process = os.memories.on_its_node(rank);
    ranks.push_back({{"page_faults", memory.faults(process)},
                     {"pages_read", memory.reads(process)},
                     {"waited_s", rank.paging.seconds()}});
  }
  result["memory"] = {{"ranks", std::move(ranks)}};
}

} // namespace hypermon
