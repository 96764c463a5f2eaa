// The nodes' processors and the competitors on them: what must hold between their parameters.
#include "platforms/machine/cpu_params_fields.hpp"
#include "platforms/machine/index_list.hpp"
#include "platforms/machine/machine_params.hpp"
#include "sw/model/spec.hpp"
#include "sw/model/user_error.hpp"

#include <algorithm>

namespace hypermon {
namespace {

std::string shown(const std::string& path, std::int64_t value) { return path + " = " + std::to_string(value) + ": "; }

void check_cpu(const Spec& spec) {
  const CpuParams& cpu = spec.get<CpuParams>();
  const bool is_nx2 = spec.get<MachineParams>().messages == Messages::nx2;
  if (is_nx2 && cpu.ranks_per_node > 1)
    throw UserError(shown("cpu.ranks_per_node", cpu.ranks_per_node) +
                    "must be 1 with machine.messages = \"nx2\": NX/2 is modelled with one process a node");
  if (is_nx2 && cpu.waiting == WaitingRank::poll)
    throw UserError("cpu.waiting = \"poll\": must be block with machine.messages = \"nx2\": NX/2 knows no other wait");
  if (cpu.policy == CpuPolicy::kernel_first && cpu.waiting == WaitingRank::poll && cpu.ranks_per_node > cpu.processors)
    throw UserError("cpu.waiting = \"poll\": must be block with cpu.policy = \"kernel_first\" and " +
                    std::to_string(cpu.ranks_per_node) + " ranks a node on cpu.processors = " +
                    std::to_string(cpu.processors) + ": a rank that polls would never let another one run");
}

void check_competitors(const Spec& spec) {
  const CpuParams& cpu = spec.get<CpuParams>();
  const CompetitorsParams& c = spec.get<CompetitorsParams>();
  if (c.nodes.empty()) return;
  if (c.nodes != "all") index_list("competitors.nodes", c.nodes, spec.nodes, "all, or numbers of nodes");
  if (!c.processors.empty())
    index_list("competitors.processors", c.processors, cpu.processors, "numbers of a node's processors");
  const auto number = [](auto value) {
    std::string text = std::to_string(value.number);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text + "0" : text;
  };
  if (cpu.policy == CpuPolicy::kernel_first)
    throw UserError("competitors.nodes = \"" + c.nodes +
                    "\": needs cpu.policy = time_slices or fair_shares: under "
                    "kernel_first who has a processor keeps it until it waits");
  if (c.end_s > 0 && c.end_s <= c.begin_s)
    throw UserError("competitors.end_s = " + number(c.end_s) +
                    ": must be after competitors.begin_s = " + number(c.begin_s) + ", or 0");
  if ((c.busy_ms > 0) != (c.sleep_ms > 0))
    throw UserError("competitors.busy_ms = " + number(c.busy_ms) +
                    ": must be given with competitors.sleep_ms = " + number(c.sleep_ms) + ": both, or none");
  if (c.priority > 0 && c.end_s <= 0 && c.sleep_ms <= 0 && c.threads >= cpu.processors)
    throw UserError(shown("competitors.priority", c.priority) +
                    "must be 0 or less with competitors.threads = " + std::to_string(c.threads) +
                    " that neither end nor sleep: cpu.processors = " + std::to_string(cpu.processors) +
                    " would leave the ranks none");
}

void check(const Spec& spec) {
  check_cpu(spec);
  check_competitors(spec);
}

} // namespace

Part cpu_part() {
  return {.sections = {section<CpuParams>("cpu", "A node's processors, and how processes share them."),
                       section<CompetitorsParams>(
                           "competitors", "Processes beside the ranks that take CPU time and do nothing else.")},
          .check = check};
}

} // namespace hypermon
