// SPDX-License-Identifier: BSD-3-Clause
// Result keys of every run, whatever its monitor and workload.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct RunKeys {
  ResultKey<std::string> scenario{"scenario", "", "Name of what was run."};
  ResultKey<Json> spec{"spec", "", "Every parameter, resolved."};
  ResultKey<Json> versions{"versions", "", "Versions of hypermon, SimGrid and SystemC."};
  ResultKey<std::string> fingerprint{"fingerprint", "",
                                     "Hash of all emissions (node, time, type, arguments) and of the ranks' times."};
  ResultKey<double> elapsed_s{"elapsed_s", "s",
                              "Time of the longest rank in the measured section; without a program, of the run."};
  struct Ranks {
    ResultList list{"ranks[]"};
    ResultKey<double> elapsed_s{"ranks[].elapsed_s", "s", "Time of the rank in the measured section."};
    ResultKey<double> compute_s{"ranks[].compute_s", "s", "Of it: what the program computed."};
    ResultKey<double> mpi_s{"ranks[].mpi_s", "s", "Of it: messages, system calls and waiting."};
    ResultKey<double> monitor_s{
        "ranks[].monitor_s", "s",
        "Of it: CPU time that emitting events took on the node, interrupts and ticks included."};
    ResultKey<int> events{"ranks[].events", "events", "Events emitted on the node."};
  } ranks;
  struct Neighbours {
    ResultList list{"neighbours[]"};
    ResultKey<std::string> workload{"neighbours[].workload", "",
                                    "Workload of a program beside the monitored one (section neighbour), in order."};
    ResultKey<int> nodes{"neighbours[].nodes", "", "Its nodes."};
    ResultKey<std::optional<double>> begin_s{"neighbours[].begin_s", "s",
                                             "When the first of its ranks had begun (MPI_Init); null if none had."};
    ResultKey<std::optional<double>> end_s{
        "neighbours[].end_s", "s", "When the last of them ended (MPI_Finalize); null if it was stopped before."};
    ResultKey<std::optional<double>> elapsed_s{"neighbours[].elapsed_s", "s",
                                               "What lies between the two; null if one of them is."};
  } neighbours;
  ResultKey<int> events{"events", "events", "Events of all nodes."};
  ResultKey<int> event_bytes{"event_bytes", "B", "Their data, without timestamps and padding."};
  ResultKey<std::vector<std::string>> warnings{"warnings", "", "What would be misread: only there if there is such."};
  struct UnmodelledCalls {
    ResultList list{"unmodelled_calls[]"};
    ResultKey<std::string> function{"unmodelled_calls[].function", "",
                                    "MPI function that communicates without a model under this machine.messages: SMPI "
                                    "carries it over the links alone. Only there if the program called one."};
    ResultKey<int> calls{"unmodelled_calls[].calls", "", "Number of calls of that function by all ranks."};
  } unmodelled_calls;
  struct Cpu {
    struct Nodes {
      ResultList list{"cpu.nodes[]", ResultList::Elements::may_be_null};
      ResultKey<double> working_s{
          "cpu.nodes[].working_s", "s",
          "What the processors of a node worked until the program ended. cpu.nodes[] is null for a node whose "
          "processors nobody shares; there are no such keys if nobody shares any."};
      ResultKey<double> kernel_s{"cpu.nodes[].kernel_s", "s", "Of them: the kernel's."};
      ResultKey<double> switching_s{"cpu.nodes[].switching_s", "s", "Of them: context switches."};
      ResultKey<double> idle_s{"cpu.nodes[].idle_s", "s", "Of them: nothing."};
      ResultKey<int> switches{"cpu.nodes[].switches", "", "How often they went on with another process."};
    } nodes;
    struct Ranks {
      ResultList list{"cpu.ranks[]", ResultList::Elements::may_be_null};
      ResultKey<double> used_s{"cpu.ranks[].used_s", "s",
                               "CPU time of the rank, polling included. cpu.ranks[] is null for a rank of a node whose "
                               "processors nobody shares."};
      ResultKey<double> waited_s{"cpu.ranks[].waited_s", "s", "Time for which it wanted a processor and had none."};
      ResultKey<int> switches{"cpu.ranks[].switches", "",
                              "How often a processor went over to it from another process."};
    } ranks;
  } cpu;
};
inline constexpr RunKeys run_keys{};

} // namespace hypermon
