// SPDX-License-Identifier: BSD-3-Clause
// Result keys of HDTrace.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct HdtraceKeys {
  ResultKey<std::string> project{"monitor.project", "", "HDTrace's project file, relative to the run's folder."};
  ResultKey<int> states{"monitor.states", "",
                        "Number of states that HDTrace recorded: MPI calls, and messages in collective calls."};
  ResultKey<double> cpu_s{"monitor.cpu_s", "s", "hdtrace: CPU time of tracing and sampling on all nodes."};
  ResultKey<int> flushes{
      "monitor.flushes", "",
      "Number of times that HDTrace flushed a trace buffer, because it was full or at MPI_Finalize."};
  ResultKey<double> flushing_s{"monitor.flushing_s", "s",
                               "Time that processes waited for their disks while HDTrace flushed trace buffers."};
  struct Clocks {
    ResultKey<int> pairs{"monitor.clocks.pairs", "",
                         "Number of messages with both ends in HDTrace's traces, by which causality is judged."};
    ResultKey<int> violations_as_written{"monitor.clocks.violations_as_written", "",
                                         "Number of messages received before they were sent by the timestamps as "
                                         "written, before file headers correct HDTrace's clocks."};
    struct Nodes {
      ResultList list{"monitor.clocks.nodes[]"};
      ResultKey<int> node{"monitor.clocks.nodes[].node", "",
                          "Number of the node with the probed clock (hdtrace.offsets); absent without probes."};
      ResultKey<std::optional<double>> before_us{
          "monitor.clocks.nodes[].before_us", "us",
          "Clock of the node minus that of node 0, probed at the start of the run; null if no probe was answered."};
      ResultKey<std::optional<double>> before_round_trip_us{
          "monitor.clocks.nodes[].before_round_trip_us", "us",
          "Round trip of the probe that gave monitor.clocks.nodes[].before_us; null if no probe was answered."};
      ResultKey<std::optional<double>> after_us{
          "monitor.clocks.nodes[].after_us", "us",
          "Clock of the node minus that of node 0, probed after the program; null if it was not probed then."};
      ResultKey<std::optional<double>> after_round_trip_us{
          "monitor.clocks.nodes[].after_round_trip_us", "us",
          "Round trip of the probe that gave monitor.clocks.nodes[].after_us; null if the clock was not probed then."};
      ResultKey<double> shift_us{"monitor.clocks.nodes[].shift_us", "us",
                                 "Correction that the headers of the node's HDTrace files add to their timestamps."};
    } nodes;
  } clocks;
  struct Power {
    ResultKey<double> joules{"monitor.power.joules", "J",
                             "Energy of all nodes, from the power model of processor and device states."};
    ResultKey<double> server_joules{"monitor.power.server_joules", "J",
                                    "Energy of the file system's servers, from the power model."};
    ResultKey<std::optional<double>> metered_joules{
        "monitor.power.metered_joules", "J", "Energy of the nodes as their power meters show it; null without meters."};
    ResultKey<std::optional<double>> estimated_joules{
        "monitor.power.estimated_joules", "J",
        "Energy of the nodes, estimated from the recorded utilisation alone; null without samples of it."};
    ResultKey<std::optional<double>> sampled_joules{
        "monitor.power.sampled_joules", "J", "True energy of the nodes during the sampled time; null without samples."};
    ResultKey<int> samples{"monitor.power.samples", "samples",
                           "Number of utilisation samples that HDTrace took on all nodes."};
    ResultKey<int> missed_samples{
        "monitor.power.missed_samples", "samples",
        "Number of utilisation samples that HDTrace missed because their scheduled time had passed."};
    std::array<ResultKey<double>, 7> by_part{
        {{"monitor.power.by_part.base", "J", "Energy of the nodes' boards and memory."},
         {"monitor.power.by_part.idle", "J", "Energy of the nodes' processors while they are idle."},
         {"monitor.power.by_part.computing", "J", "Energy of the nodes' processors while they compute."},
         {"monitor.power.by_part.waiting", "J",
          "Energy of the nodes' processors while their process polls in an MPI call."},
         {"monitor.power.by_part.nic", "J", "Energy of the nodes' network interfaces."},
         {"monitor.power.by_part.disk", "J", "Energy of the nodes' disks."},
         {"monitor.power.by_part.supply", "J", "Energy lost in the nodes' power supplies."}}}; ///< by Share

    ResultKey<std::optional<double>> computing_w{
        "monitor.power.computing_w", "W", "Mean power of a node while its processes compute; null if they never do."};
    ResultKey<std::optional<std::string>> longest_call{
        "monitor.power.longest_call", "", "MPI function in which the nodes spent most time; null if they called none."};
    ResultKey<std::optional<double>> longest_call_w{
        "monitor.power.longest_call_w", "W",
        "Mean power of a node while one of its processes is in monitor.power.longest_call; null if the nodes called no "
        "MPI function."};
    struct Phases {
      ResultList list{"monitor.power.phases[]"};
      ResultKey<std::string> phase{"monitor.power.phases[].phase", "",
                                   "Phase of a node: an MPI function that at least one of its processes executes. "
                                   "computing: none executes an MPI function. idle: no process is left."};
      ResultKey<double> time_s{"monitor.power.phases[].time_s", "s",
                               "Time that the nodes spent in the phase, summed over nodes."};
      ResultKey<double> joules{"monitor.power.phases[].joules", "J", "Total energy that the nodes used in the phase."};
      ResultKey<double> mean_w{"monitor.power.phases[].mean_w", "W", "Mean power of a node in the phase."};
    } phases;
    struct Computers {
      ResultList list{"monitor.power.computers[]"};
      ResultKey<std::string> computer{"monitor.power.computers[].computer", "",
                                      "Host name of the node with the reported energy."};
      ResultKey<double> joules{"monitor.power.computers[].joules", "J", "Energy of the node, from the power model."};
      ResultKey<double> mean_w{"monitor.power.computers[].mean_w", "W", "Mean power of the node over the whole run."};
      ResultKey<std::optional<double>> metered_joules{
          "monitor.power.computers[].metered_joules", "J",
          "Energy of the node during whole periods of its power meter; null without a meter."};
      ResultKey<int> readings{"monitor.power.computers[].readings", "",
                              "Number of readings of the node's power meter."};
      ResultKey<std::optional<double>> estimated_joules{
          "monitor.power.computers[].estimated_joules", "J",
          "Energy of the node, estimated from its utilisation; null without samples of it."};
      ResultKey<std::optional<double>> sampled_joules{
          "monitor.power.computers[].sampled_joules", "J",
          "True energy of the node during the sampled time; null without samples."};
    } computers;
  } power;
  struct Layers {
    ResultList list{"monitor.layers[]"};
    ResultKey<std::string> layer{
        "monitor.layers[].layer", "",
        "Layer of a server, or of the file system client in a process, that HDTrace recorded."};
    ResultKey<int> operations{"monitor.layers[].operations", "", "Number of operations that began in the layer."};
    ResultKey<int> unfinished{"monitor.layers[].unfinished", "",
                              "Number of operations of the layer that had not ended when the run was over."};
    ResultKey<int> unrelated{"monitor.layers[].unrelated", "",
                             "Number of operations of the layer whose cause is in no trace file."};
    ResultKey<int> most_pending{
        "monitor.layers[].most_pending", "",
        "Largest number of operations pending in the layer at the same time; 0 for layers without such a count."};
    ResultKey<double> time_s{"monitor.layers[].time_s", "s", "Time of all operations of the layer, summed."};
  } layers;
  struct Processes {
    ResultList list{"monitor.processes[]"};
    ResultKey<int> rank{"monitor.processes[].rank", "", "Rank of the traced process in MPI_COMM_WORLD."};
    ResultKey<int> node{"monitor.processes[].node", "", "Number of the node on which the traced process runs."};
    ResultKey<int> states{"monitor.processes[].states", "", "Number of states that the process traced."};
    ResultKey<int> relations{"monitor.processes[].relations", "",
                             "Number of the process's MPI calls for which other layers executed operations."};
    ResultKey<int> trace_bytes{"monitor.processes[].trace_bytes", "B",
                               "Size of the process's trace, without its header and end."};
    ResultKey<int> relation_bytes{"monitor.processes[].relation_bytes", "B",
                                  "Size of the process's relations, without their header and end."};
    ResultKey<int> info_bytes{"monitor.processes[].info_bytes", "B",
                              "Size of the process's description of communicators, types and files."};
  } processes;
};
inline constexpr HdtraceKeys hdtrace_keys{};

} // namespace hypermon
