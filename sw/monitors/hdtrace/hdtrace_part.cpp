// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "sw/monitors/hdtrace/params.hpp"

#include <algorithm>

namespace hypermon {
namespace {

/// All that can be known before there is a machine.
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

ResultKeys hdtrace_results() {
  return {{"monitor.project", "", "hdtrace: the project's file in the run's folder.", result::text},
          {"monitor.states", "", "hdtrace: of MPI calls, and of messages under them."},
          {"monitor.cpu_s", "s", "hdtrace: CPU time that tracing and sampling took on all nodes."},
          {"monitor.flushes", "", "hdtrace: of buffers that were full, or at MPI_Finalize."},
          {"monitor.flushing_s", "s", "hdtrace: that processes waited for their disks meanwhile."},
          {"monitor.clocks.pairs", "", "hdtrace: of a message's two ends, by which causality is judged."},
          {"monitor.clocks.violations_as_written", "", "hdtrace: before headers put the clocks right."},
          {"monitor.clocks.nodes[].node", "", "hdtrace: of hdtrace.offsets; no such keys without probes."},
          {"monitor.clocks.nodes[].before_us", "us",
           "hdtrace: clock of the node less that of node 0, probed at the begin; null if no probe was answered.",
           result::or_null()},
          {"monitor.clocks.nodes[].before_round_trip_us", "us",
           "hdtrace: round trip of the probe that gave before_us; null if no probe was answered.", result::or_null()},
          {"monitor.clocks.nodes[].after_us", "us",
           "hdtrace: clock of the node less that of node 0, probed after the program; null if it was not probed then.",
           result::or_null()},
          {"monitor.clocks.nodes[].after_round_trip_us", "us",
           "hdtrace: round trip of the probe that gave after_us; null if the clock was not probed then.",
           result::or_null()},
          {"monitor.clocks.nodes[].shift_us", "us", "hdtrace: what its files' headers add to their times."},
          {"monitor.power.joules", "J", "hdtrace: energy of all nodes, from the model of states."},
          {"monitor.power.server_joules", "J", "hdtrace: of the file system's servers."},
          {"monitor.power.metered_joules", "J",
           "hdtrace: energy of the nodes as their meters show it; null without meters.", result::or_null()},
          {"monitor.power.estimated_joules", "J",
           "hdtrace: energy of the nodes, estimated from the recorded utilisation alone; null without samples of it.",
           result::or_null()},
          {"monitor.power.sampled_joules", "J",
           "hdtrace: true energy of the nodes in the time that was sampled; null without samples.", result::or_null()},
          {"monitor.power.samples", "samples", "hdtrace: of utilisation, on all nodes."},
          {"monitor.power.missed_samples", "samples", "hdtrace: whose date had passed."},
          {"monitor.power.by_part.base", "J", "hdtrace: boards and memory of the nodes."},
          {"monitor.power.by_part.idle", "J", "hdtrace: processors that do nothing."},
          {"monitor.power.by_part.computing", "J", "hdtrace: processors that compute."},
          {"monitor.power.by_part.waiting", "J", "hdtrace: processors whose process polls in an MPI call."},
          {"monitor.power.by_part.nic", "J", "hdtrace: network interfaces."},
          {"monitor.power.by_part.disk", "J", "hdtrace: disks."},
          {"monitor.power.by_part.supply", "J", "hdtrace: lost in power supplies."},
          {"monitor.power.computing_w", "W", "hdtrace: a node while its processes compute; null if they never do.",
           result::or_null()},
          {"monitor.power.longest_call", "",
           "hdtrace: the MPI function in which the nodes were longest; null if they called none.",
           result::or_null(result::text)},
          {"monitor.power.longest_call_w", "W",
           "hdtrace: mean power of a node while one of its processes is in that function; null without one.",
           result::or_null()},
          {"monitor.power.phases[].phase", "",
           "hdtrace: an MPI function in which at least one process of the node is; computing: none is in any; idle: "
           "there is none any more.",
           result::text},
          {"monitor.power.phases[].time_s", "s", "hdtrace: summed over nodes."},
          {"monitor.power.phases[].joules", "J", "hdtrace: that the nodes took in that time, all of it."},
          {"monitor.power.phases[].mean_w", "W", "hdtrace: of a node."},
          {"monitor.power.computers[].computer", "", "hdtrace: a node.", result::text},
          {"monitor.power.computers[].joules", "J", "hdtrace: its energy."},
          {"monitor.power.computers[].mean_w", "W", "hdtrace: over the whole run."},
          {"monitor.power.computers[].metered_joules", "J",
           "hdtrace: energy of the node in whole periods of its meter; null without a meter.", result::or_null()},
          {"monitor.power.computers[].readings", "", "hdtrace: of its meter."},
          {"monitor.power.computers[].estimated_joules", "J",
           "hdtrace: energy of the node, estimated from its utilisation; null without samples of it.",
           result::or_null()},
          {"monitor.power.computers[].sampled_joules", "J",
           "hdtrace: true energy of the node in the time that was sampled; null without samples.", result::or_null()},
          {"monitor.layers[].layer", "", "hdtrace: of a server, or of the client in a process.", result::text},
          {"monitor.layers[].operations", "", "hdtrace: that began in it."},
          {"monitor.layers[].unfinished", "", "hdtrace: of these, not ended when the run was over."},
          {"monitor.layers[].unrelated", "", "hdtrace: of these, done for something that is in no file."},
          {"monitor.layers[].most_pending", "", "hdtrace: at once; 0 where nobody counts."},
          {"monitor.layers[].time_s", "s", "hdtrace: of its operations, summed."},
          {"monitor.processes[].rank", "", "hdtrace: in MPI_COMM_WORLD."},
          {"monitor.processes[].node", "", "hdtrace: where it runs."},
          {"monitor.processes[].states", "", "hdtrace: that it has traced."},
          {"monitor.processes[].relations", "", "hdtrace: calls for which others did something."},
          {"monitor.processes[].trace_bytes", "B", "hdtrace: in its trace; header and end not counted."},
          {"monitor.processes[].relation_bytes", "B", "hdtrace: in its relations, alike."},
          {"monitor.processes[].info_bytes", "B", "hdtrace: of what it knew of communicators, types, files."}};
}

} // namespace

Part hdtrace_part() {
  return {.kind = Part::Kind::monitor,
          .name = "hdtrace",
          .sections = {section<HdtraceParams>("hdtrace", "HDTrace's traces, relations and statistics."),
                       section<PowerParams>("power", "Power of nodes and servers, and HDTrace's measurement of it.")},
          .check = check_hdtrace,
          .results = hdtrace_results(),
          .monitor = {.ledger_unit = "bytes",
                      .losses = {{"trace_buffer", "buffer_full", "both buffers were full: the server is too slow"},
                                 {"trace_disk", "disk_full", "the node's disk has no room; nothing more is traced"}},
                      .description = "HDTrace's traces of MPI and file system operations"}};
}

} // namespace hypermon
