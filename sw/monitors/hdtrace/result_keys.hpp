// SPDX-License-Identifier: BSD-3-Clause
// Result keys of HDTrace.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct HdtraceKeys {
  ResultKey<std::string> project{"monitor.project", "", "hdtrace: the project's file in the run's folder."};
  ResultKey<int> states{"monitor.states", "", "hdtrace: of MPI calls, and of messages under them."};
  ResultKey<double> cpu_s{"monitor.cpu_s", "s", "hdtrace: CPU time that tracing and sampling took on all nodes."};
  ResultKey<int> flushes{"monitor.flushes", "", "hdtrace: of buffers that were full, or at MPI_Finalize."};
  ResultKey<double> flushing_s{"monitor.flushing_s", "s", "hdtrace: that processes waited for their disks meanwhile."};
  struct Clocks {
    ResultKey<int> pairs{"monitor.clocks.pairs", "", "hdtrace: of a message's two ends, by which causality is judged."};
    ResultKey<int> violations_as_written{"monitor.clocks.violations_as_written", "",
                                         "hdtrace: before headers put the clocks right."};
    struct Nodes {
      ResultList list{"monitor.clocks.nodes[]"};
      ResultKey<int> node{"monitor.clocks.nodes[].node", "",
                          "hdtrace: of hdtrace.offsets; no such keys without probes."};
      ResultKey<std::optional<double>> before_us{
          "monitor.clocks.nodes[].before_us", "us",
          "hdtrace: clock of the node less that of node 0, probed at the begin; null if no probe was answered."};
      ResultKey<std::optional<double>> before_round_trip_us{
          "monitor.clocks.nodes[].before_round_trip_us", "us",
          "hdtrace: round trip of the probe that gave before_us; null if no probe was answered."};
      ResultKey<std::optional<double>> after_us{
          "monitor.clocks.nodes[].after_us", "us",
          "hdtrace: clock of the node less that of node 0, probed after the program; null if it was not probed then."};
      ResultKey<std::optional<double>> after_round_trip_us{
          "monitor.clocks.nodes[].after_round_trip_us", "us",
          "hdtrace: round trip of the probe that gave after_us; null if the clock was not probed then."};
      ResultKey<double> shift_us{"monitor.clocks.nodes[].shift_us", "us",
                                 "hdtrace: what its files' headers add to their times."};
    } nodes;
  } clocks;
  struct Power {
    ResultKey<double> joules{"monitor.power.joules", "J", "hdtrace: energy of all nodes, from the model of states."};
    ResultKey<double> server_joules{"monitor.power.server_joules", "J", "hdtrace: of the file system's servers."};
    ResultKey<std::optional<double>> metered_joules{
        "monitor.power.metered_joules", "J",
        "hdtrace: energy of the nodes as their meters show it; null without meters."};
    ResultKey<std::optional<double>> estimated_joules{
        "monitor.power.estimated_joules", "J",
        "hdtrace: energy of the nodes, estimated from the recorded utilisation alone; null without samples of it."};
    ResultKey<std::optional<double>> sampled_joules{
        "monitor.power.sampled_joules", "J",
        "hdtrace: true energy of the nodes in the time that was sampled; null without samples."};
    ResultKey<int> samples{"monitor.power.samples", "samples", "hdtrace: of utilisation, on all nodes."};
    ResultKey<int> missed_samples{"monitor.power.missed_samples", "samples", "hdtrace: whose date had passed."};
    std::array<ResultKey<double>, 7> by_part{
        {{"monitor.power.by_part.base", "J", "hdtrace: boards and memory of the nodes."},
         {"monitor.power.by_part.idle", "J", "hdtrace: processors that do nothing."},
         {"monitor.power.by_part.computing", "J", "hdtrace: processors that compute."},
         {"monitor.power.by_part.waiting", "J", "hdtrace: processors whose process polls in an MPI call."},
         {"monitor.power.by_part.nic", "J", "hdtrace: network interfaces."},
         {"monitor.power.by_part.disk", "J", "hdtrace: disks."},
         {"monitor.power.by_part.supply", "J", "hdtrace: lost in power supplies."}}}; ///< by Share

    ResultKey<std::optional<double>> computing_w{"monitor.power.computing_w", "W",
                                                 "hdtrace: a node while its processes compute; null if they never do."};
    ResultKey<std::optional<std::string>> longest_call{
        "monitor.power.longest_call", "",
        "hdtrace: the MPI function in which the nodes were longest; null if they called none."};
    ResultKey<std::optional<double>> longest_call_w{
        "monitor.power.longest_call_w", "W",
        "hdtrace: mean power of a node while one of its processes is in that function; null without one."};
    struct Phases {
      ResultList list{"monitor.power.phases[]"};
      ResultKey<std::string> phase{"monitor.power.phases[].phase", "",
                                   "hdtrace: an MPI function in which at least one process of the node is; computing: "
                                   "none is in any; idle: there is none any more."};
      ResultKey<double> time_s{"monitor.power.phases[].time_s", "s", "hdtrace: summed over nodes."};
      ResultKey<double> joules{"monitor.power.phases[].joules", "J",
                               "hdtrace: that the nodes took in that time, all of it."};
      ResultKey<double> mean_w{"monitor.power.phases[].mean_w", "W", "hdtrace: of a node."};
    } phases;
    struct Computers {
      ResultList list{"monitor.power.computers[]"};
      ResultKey<std::string> computer{"monitor.power.computers[].computer", "", "hdtrace: a node."};
      ResultKey<double> joules{"monitor.power.computers[].joules", "J", "hdtrace: its energy."};
      ResultKey<double> mean_w{"monitor.power.computers[].mean_w", "W", "hdtrace: over the whole run."};
      ResultKey<std::optional<double>> metered_joules{
          "monitor.power.computers[].metered_joules", "J",
          "hdtrace: energy of the node in whole periods of its meter; null without a meter."};
      ResultKey<int> readings{"monitor.power.computers[].readings", "", "hdtrace: of its meter."};
      ResultKey<std::optional<double>> estimated_joules{
          "monitor.power.computers[].estimated_joules", "J",
          "hdtrace: energy of the node, estimated from its utilisation; null without samples of it."};
      ResultKey<std::optional<double>> sampled_joules{
          "monitor.power.computers[].sampled_joules", "J",
          "hdtrace: true energy of the node in the time that was sampled; null without samples."};
    } computers;
  } power;
  struct Layers {
    ResultList list{"monitor.layers[]"};
    ResultKey<std::string> layer{"monitor.layers[].layer", "", "hdtrace: of a server, or of the client in a process."};
    ResultKey<int> operations{"monitor.layers[].operations", "", "hdtrace: that began in it."};
    ResultKey<int> unfinished{"monitor.layers[].unfinished", "", "hdtrace: of these, not ended when the run was over."};
    ResultKey<int> unrelated{"monitor.layers[].unrelated", "",
                             "hdtrace: of these, done for something that is in no file."};
    ResultKey<int> most_pending{"monitor.layers[].most_pending", "", "hdtrace: at once; 0 where nobody counts."};
    ResultKey<double> time_s{"monitor.layers[].time_s", "s", "hdtrace: of its operations, summed."};
  } layers;
  struct Processes {
    ResultList list{"monitor.processes[]"};
    ResultKey<int> rank{"monitor.processes[].rank", "", "hdtrace: in MPI_COMM_WORLD."};
    ResultKey<int> node{"monitor.processes[].node", "", "hdtrace: where it runs."};
    ResultKey<int> states{"monitor.processes[].states", "", "hdtrace: that it has traced."};
    ResultKey<int> relations{"monitor.processes[].relations", "", "hdtrace: calls for which others did something."};
    ResultKey<int> trace_bytes{"monitor.processes[].trace_bytes", "B",
                               "hdtrace: in its trace; header and end not counted."};
    ResultKey<int> relation_bytes{"monitor.processes[].relation_bytes", "B", "hdtrace: in its relations, alike."};
    ResultKey<int> info_bytes{"monitor.processes[].info_bytes", "B",
                              "hdtrace: of what it knew of communicators, types, files."};
  } processes;
};
inline constexpr HdtraceKeys hdtrace_keys{};

} // namespace hypermon
