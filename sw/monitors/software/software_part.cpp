// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "sw/monitors/software/params.hpp"
#include "sw/monitors/software/result_keys.hpp"

#include <algorithm>

namespace hypermon {
namespace {

/// Checks that need no machine.
void check_software(const Spec& spec) {
  if (spec.monitor != "software") return;
  const auto& params = spec.get<SoftwareParams>();
  const bool of_processes = params.traces == TraceOf::process;
  const auto needs_processes = [&](bool wants, const std::string& what) {
    if (wants && !of_processes) throw UserError(what + ": needs software.traces = process");
  };
  needs_processes(params.when_full == FullTrace::flush, "software.when_full = flush");
  needs_processes(params.clocks == ClockCorrection::linear, "software.clocks = linear");
  needs_processes(!params.servers.empty(), "software.servers = \"" + params.servers + "\"");
  if (!of_processes) return;
  const bool has_servers = params.servers.find_first_not_of(' ') != std::string::npos;
  if (params.when_full == FullTrace::flush && !has_servers)
    throw UserError("software.when_full = flush: needs file servers, software.servers");
  if (!params.network.empty()) network_of(network_names(spec), params.network, "software.network");
  const std::int64_t least =
      params.flush_bytes +
      std::max({params.region_bytes, params.message_bytes, params.collective_begin_bytes, params.collective_end_bytes});
  if (params.buffer_bytes.number < least)
    throw UserError("software.buffer_bytes = " + std::to_string(params.buffer_bytes.number) + ": must be at least " +
                    std::to_string(least) + ", a process's longest record and that of a flush");
}

} // namespace

Part software_part() {
  return {
      .kind = Part::Kind::monitor,
      .name = "software",
      .sections = {section<SoftwareParams>("software", "Software monitor, which records events into memory or files.")},
      .check = check_software,
      .results = keys_of(software_keys),
      .monitor = {.ledger_unit = "bytes",
                  .losses = {{"node_memory", "buffer_full"}},
                  .description = "records of events in memory or files"}};
}

} // namespace hypermon
