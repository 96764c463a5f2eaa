// SPDX-License-Identifier: BSD-3-Clause
// Result keys of every run, whatever its monitor and workload.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct RunKeys {
  ResultKey<std::string> scenario{"scenario", "", "Name of the scenario that was run."};
  ResultKey<Json> spec{"spec", "", "Resolved specification: the value of every parameter."};
  ResultKey<Json> versions{"versions", "", "Versions of hypermon, SimGrid and SystemC."};
  ResultKey<std::string> fingerprint{"fingerprint", "",
                                     "Hash of all emissions (node, time, type, arguments) and of the ranks' times."};
  ResultKey<double> elapsed_s{
      "elapsed_s", "s",
      "Longest time of a rank in the measured section; that of the whole run if there is no program."};
  struct Ranks {
    ResultList list{"ranks[]"};
    ResultKey<double> elapsed_s{"ranks[].elapsed_s", "s", "Time of the rank in the measured section."};
    ResultKey<double> compute_s{"ranks[].compute_s", "s",
                                "Time for which the rank's program computed in the measured section."};
    ResultKey<double> mpi_s{"ranks[].mpi_s", "s",
                            "Time that the rank spent on messages, system calls and waiting in the measured section."};
    ResultKey<double> monitor_s{"ranks[].monitor_s", "s",
                                "CPU time that emitting events took on the rank's node in the measured section, "
                                "interrupts and ticks included."};
    ResultKey<int> events{"ranks[].events", "events", "Number of events emitted on the rank's node."};
  } ranks;
  struct Neighbours {
    ResultList list{"neighbours[]"};
    ResultKey<std::string> workload{
        "neighbours[].workload", "",
        "Workload of a program that runs beside the monitored one, in the order of section neighbour."};
    ResultKey<int> nodes{"neighbours[].nodes", "", "Number of nodes of the neighbour program."};
    ResultKey<std::optional<double>> begin_s{
        "neighbours[].begin_s", "s",
        "Time at which the neighbour program's first rank began (MPI_Init); null if none of its ranks began."};
    ResultKey<std::optional<double>> end_s{"neighbours[].end_s", "s",
                                           "Time at which the neighbour program's last rank ended (MPI_Finalize); null "
                                           "if the program was stopped before."};
    ResultKey<std::optional<double>> elapsed_s{
        "neighbours[].elapsed_s", "s",
        "Time from neighbours[].begin_s to neighbours[].end_s; null if either time is missing."};
  } neighbours;
  ResultKey<int> events{"events", "events", "Number of events emitted on all nodes."};
  ResultKey<int> event_bytes{"event_bytes", "B",
                             "Size of the data of all emitted events, without timestamps and padding."};
  ResultKey<std::vector<std::string>> warnings{"warnings", "",
                                               "Warnings against misreading the result; absent if there are none."};
  struct UnmodelledCalls {
    ResultList list{"unmodelled_calls[]"};
    ResultKey<std::string> function{
        "unmodelled_calls[].function", "",
        "MPI function that communicates, but has no model under this machine.messages: SMPI carries its data over the "
        "links alone. Absent if the program called no such function."};
    ResultKey<int> calls{"unmodelled_calls[].calls", "",
                         "Number of calls of the unmodelled MPI function by all ranks."};
  } unmodelled_calls;
  struct Cpu {
    struct Nodes {
      ResultList list{"cpu.nodes[]", ResultList::Elements::may_be_null};
      ResultKey<double> working_s{"cpu.nodes[].working_s", "s",
                                  "Time that the node's processors executed processes until the program ended, summed "
                                  "over the processors. cpu.nodes[] is null for a node with unshared processors; the "
                                  "cpu keys are absent if no processors are shared."};
      ResultKey<double> kernel_s{
          "cpu.nodes[].kernel_s", "s",
          "Time that the node's processors executed the kernel until the program ended, summed over the processors."};
      ResultKey<double> switching_s{"cpu.nodes[].switching_s", "s",
                                    "Time that the node's processors spent on context switches until the program "
                                    "ended, summed over the processors."};
      ResultKey<double> idle_s{
          "cpu.nodes[].idle_s", "s",
          "Time that the node's processors were idle until the program ended, summed over the processors."};
      ResultKey<int> switches{"cpu.nodes[].switches", "",
                              "Number of times that a processor of the node switched to another process."};
    } nodes;
    struct Ranks {
      ResultList list{"cpu.ranks[]", ResultList::Elements::may_be_null};
      ResultKey<double> used_s{
          "cpu.ranks[].used_s", "s",
          "CPU time of the rank, polling included. cpu.ranks[] is null for a rank on a node with unshared processors."};
      ResultKey<double> waited_s{"cpu.ranks[].waited_s", "s",
                                 "Time that the rank was ready to run, but waited for a processor."};
      ResultKey<int> switches{"cpu.ranks[].switches", "",
                              "Number of times that a processor switched from another process to the rank."};
    } ranks;
  } cpu;
};
inline constexpr RunKeys run_keys{};

} // namespace hypermon
