// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_parameter.hpp"
#include "base/user_error.hpp"
#include "hw/machine/cpu_params.hpp"
#include "sw/workloads/common/script.hpp"
#include "sw/workloads/trace/params.hpp"
#include "sw/workloads/workload_kind.hpp"

namespace hypermon {
namespace {

/// If a script has one rank more than the nodes have room for, its last rank runs on the host.
bool has_host(const Spec& spec) {
  const auto file = file_parameter(spec.get<TraceParams>().file);
  if (!file) throw UserError("trace.file: must be given with workload = \"trace\"");
  std::int64_t ranks = 0;
  try {
    ranks = ScriptFile(file->path).ranks();
  } catch (const std::runtime_error& error) {
    throw UserError(std::string("trace.file = ") + error.what());
  }
  const std::int64_t places = spec.nodes * spec.get<CpuParams>().ranks_per_node;
  if (ranks != places && ranks != places + 1)
    throw UserError("nodes = " + std::to_string(spec.nodes) + ": must be " + std::to_string(ranks) +
                    ", the ranks of trace.file = " + file->path);
  return ranks == places + 1;
}

} // namespace

WorkloadKind trace_workload();
WorkloadKind trace_workload() { return {.name = "trace", .has_host = has_host}; }

} // namespace hypermon
