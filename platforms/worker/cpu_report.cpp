// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/cpu_report.hpp"
#include "base/run_keys.hpp"
#include "hw/machine/memory.hpp"
#include "hw/machine/memory_result_keys.hpp"

namespace hypermon {
namespace {

/// Adds null for a node that was not shared.
void add_node(ResultRecords& nodes, const NodeAccounts& accounts) {
  if (accounts.processors.empty()) return nodes.add_null();
  ProcessorTimes sum;
  for (const ProcessorTimes& p : accounts.processors) {
    sum.working += p.working;
    sum.kernel += p.kernel;
    sum.switching += p.switching;
    sum.idle += p.idle;
    sum.switches += p.switches;
  }
  const auto& keys = run_keys.cpu.nodes;
  nodes.add({keys.working_s(sum.working), keys.kernel_s(sum.kernel), keys.switching_s(sum.switching),
             keys.idle_s(sum.idle), keys.switches(sum.switches)});
}

} // namespace

void report_processors(Results& results, const OperatingSystem& os) {
  if (os.program.node_accounts().empty()) return;
  ResultRecords nodes(run_keys.cpu.nodes.list);
  for (const NodeAccounts& accounts : os.program.node_accounts()) add_node(nodes, accounts);
  const auto& keys = run_keys.cpu.ranks;
  ResultRecords ranks(keys.list);
  for (const RankState& rank : os.ranks.all()) {
    if (!rank.instrumented) continue;
    if (!rank.processor.task) {
      ranks.add_null();
      continue;
    }
    const RankAccounts& a = os.program.rank_accounts()[static_cast<std::size_t>(rank.rank)];
    ranks.add({keys.used_s(a.used), keys.waited_s(a.waited), keys.switches(a.switches)});
  }
  results.set({std::move(nodes), std::move(ranks)});
}

void report_memory(Results& results, const OperatingSystem& os) {
  if (os.memories.find(NodeId{0}) == nullptr) return;
  const auto& keys = memory_keys.ranks;
  ResultRecords ranks(keys.list);
  for (const RankState& rank : os.ranks.all()) {
    if (!rank.instrumented) continue;
    const NodeMemory& memory = *os.memories.find(rank.kernel->node());
    const std::size_t process = os.memories.on_its_node(rank);
    ranks.add({keys.page_faults(memory.faults(process)), keys.pages_read(memory.reads(process)),
               keys.waited_s(rank.computation.paging)});
  }
  results.set(std::move(ranks));
}

} // namespace hypermon
