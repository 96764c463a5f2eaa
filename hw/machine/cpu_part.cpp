// SPDX-License-Identifier: BSD-3-Clause
// The nodes' processors and their competitors: conditions between their parameters.
#include "base/plain_number.hpp"
#include "base/user_error.hpp"
#include "hw/machine/competitors.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/several.hpp"

namespace hypermon {
namespace {

std::string shown(const std::string& path, std::int64_t value) { return path + " = " + std::to_string(value) + ": "; }

void check_processors(const Spec& spec) {
  const auto& cpu = spec.get<CpuParams>();
  const bool is_nx2 = spec.get<MachineParams>().messages == Messages::nx2;
  if (is_nx2 && cpu.ranks_per_node > 1)
    throw UserError(shown("cpu.ranks_per_node", cpu.ranks_per_node) +
                    R"(must be 1 with machine.messages = "nx2": NX/2 is modelled with one process a node)");
  if (is_nx2 && cpu.waiting == WaitingRank::poll)
    throw UserError(
        R"(cpu.waiting = "poll": must be block with machine.messages = "nx2": NX/2 has no other way to wait)");
  const bool share = ranks_share_processors(spec); // always called, as it checks the list of processors
  if (share && cpu.policy == CpuPolicy::kernel_first && cpu.waiting == WaitingRank::poll)
    throw UserError(R"(cpu.waiting = "poll": must be block with cpu.policy = "kernel_first" and )" +
                    std::to_string(cpu.ranks_per_node) + " ranks a node on fewer processors: a rank that polls would " +
                    "never let another one run");
}

void check_competitors(const Spec& spec) {
  const auto& all = spec.get<CompetitorSection>();
  if (all.count > 0 && spec.get<CpuParams>().policy == CpuPolicy::kernel_first)
    throw UserError(shown("competitor.count", all.count) +
                    "needs cpu.policy = time_slices or fair_shares: under kernel_first a process keeps its processor "
                    "until it waits");
  for (std::size_t c = 0; c < static_cast<std::size_t>(all.count); ++c) {
    const CompetitorParams& own = all.instance(c);
    const std::string path = path_of("competitor", all, c);
    if (own.name == "program" || own.name.find_first_of(" \t\n,;:") != std::string::npos)
      throw UserError(path + ".name = \"" + own.name +
                      "\": must be a word without blanks, commas, colons and semicolons, and not program");
    if (own.end_s > 0 && own.end_s <= own.begin_s)
      throw UserError(path + ".end_s = " + plain_number(own.end_s.number) + ": must be after " + path +
                      ".begin_s = " + plain_number(own.begin_s.number) + ", or 0");
    if ((own.busy_ms > 0) != (own.sleep_ms > 0))
      throw UserError(path + ".busy_ms = " + plain_number(own.busy_ms.number) + ": must be given with " + path +
                      ".sleep_ms = " + plain_number(own.sleep_ms.number) + ": both, or none");
  }
  check_that_ranks_run(spec);
}

void check_cpu(const Spec& spec) {
  check_processors(spec);
  check_competitors(spec);
}

std::vector<WithoutEffect> without_effect_on_processors(const Spec& spec) {
  if (spec.get<CompetitorSection>().count > 0) return {};
  return {{{"competitor."}, "competitor.count = 0"}};
}

} // namespace

Part cpu_part() {
  return {.sections = {section<CpuParams>("cpu", "Processors of a node, and their scheduling."),
                       several<CompetitorParams>(
                           "competitor", "Competing processes that take CPU time and memory from the ranks.",
                           [](const Spec& spec, std::size_t one) {
                             return beyond_count<CompetitorSection>(spec, one, "competitor.count");
                           })},
          .check = check_cpu,
          .without_effect = without_effect_on_processors};
}

} // namespace hypermon
