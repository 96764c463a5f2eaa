// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "sw/monitors/hdtrace/params.hpp"
#include "sw/monitors/hdtrace/result_keys.hpp"

#include <algorithm>

namespace hypermon {
namespace {

/// Checks that need no machine.
void check_hdtrace(const Spec& spec) {
  if (spec.monitor != "hdtrace") return;
  const auto& power = spec.get<PowerParams>();
  const auto order = [](const char* low_path, double low, const char* high_path, double high) {
    if (low > high)
      throw UserError(std::string(low_path) + " = " + plain_number(low) + ": must be at most " + high_path + " = " +
                      plain_number(high));
  };
  order("power.idle_w", power.idle_w, "power.computing_w", power.computing_w);
  order("power.nic_idle_w", power.nic_idle_w, "power.nic_w", power.nic_w);
  order("power.disk_idle_w", power.disk_idle_w, "power.disk_w", power.disk_w);
  const auto& params = spec.get<HdtraceParams>();
  const std::vector<std::string> networks = network_names(spec);
  if (!params.network.empty() && std::ranges::find(networks, params.network) == networks.end()) {
    std::string known;
    for (const std::string& name : networks) known += (known.empty() ? "" : ", ") + name;
    throw UserError("hdtrace.network = " + params.network + ": there is no such network; there are " + known);
  }
}

std::vector<WithoutEffect> without_effect_on_hdtrace(const Spec& spec) {
  if (Time(spec.get<HdtraceParams>().sample_ms) > Time{}) return {};
  return {{{"hdtrace.groups"}, "hdtrace.sample_ms = 0"}};
}

} // namespace

Part hdtrace_part() {
  return {.kind = Part::Kind::monitor,
          .name = "hdtrace",
          .sections = {section<HdtraceParams>("hdtrace", "HDTrace's traces, relations and statistics."),
                       section<PowerParams>("power", "Power of nodes and servers, and HDTrace's measurement of it.")},
          .check = check_hdtrace,
          .without_effect = without_effect_on_hdtrace,
          .results = keys_of(hdtrace_keys),
          .monitor = {
              .ledger_unit = "bytes",
              .losses = {{"trace_buffer", "buffer_full", "both buffers were full because the server is too slow"},
                         {"trace_disk", "disk_full", "the node's disk has no room, so that nothing more is traced"}},
              .description = "HDTrace's traces of MPI and file system operations"}};
}

} // namespace hypermon
