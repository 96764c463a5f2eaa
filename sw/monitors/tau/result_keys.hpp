// SPDX-License-Identifier: BSD-3-Clause
// Result keys of TAU.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct TauKeys {
  ResultKey<std::string> transport{"monitor.transport", "",
                                   "tau: how profiles left while the program ran: none, file, monhole."};
  ResultKey<std::string> profiles{"monitor.profiles", "",
                                  "tau: the folder of the processes' last profiles, in the run's folder."};
  ResultKey<int> timers{"monitor.timers", "", "tau: that were started, of all processes."};
  ResultKey<int> looks{"monitor.looks", "", "tau: at timers that were switched off, instead of starting them."};
  ResultKey<int> throttled{"monitor.throttled", "", "tau: timers that were switched off, each process's own."};
  ResultKey<int> dumps{"monitor.dumps", "profiles", "tau: handed over while the program ran."};
  ResultKey<int> final_profiles{"monitor.final_profiles", "profiles", "tau: written at MPI_Finalize."};
  ResultKey<int> read_again{"monitor.read_again", "profiles",
                            "tau: that a consumer read though they had arrived before."};
  ResultKey<double> measuring_s{"monitor.measuring_s", "s", "tau: CPU time of timers, of all processes."};
  ResultKey<double> formatting_s{"monitor.formatting_s", "s",
                                 "tau: that processes took to make profiles into text, the last ones too."};
  ResultKey<double> transport_s{"monitor.transport_s", "s",
                                "tau: that processes were in the transport's calls, of the last ones too."};
  ResultKey<double> longest_dump_s{"monitor.longest_dump_s", "s",
                                   "tau: from taking a profile until its process went on."};
  ResultKey<double> open_loop_dilation{
      "monitor.open_loop_dilation", "",
      "tau: the most of any process: CPU time of its timers, by what else it took; as if nobody waited for it."};
  struct SystemCalls {
    ResultList list{"monitor.system_calls[]"};
    ResultKey<std::string> call{
        "monitor.system_calls[].call", "",
        "tau: of processes, by name: of files; of messages, if ktau.messages has them go over sockets."};
    ResultKey<int> calls{"monitor.system_calls[].calls", "calls", "tau: made by all processes."};
    ResultKey<double> time_s{"monitor.system_calls[].time_s", "s", "tau: that all processes were in them."};
    ResultKey<double> longest_ms{"monitor.system_calls[].longest_ms", "ms",
                                 "tau: the longest; of messages: of an MPI call."};
  } system_calls;
  struct Unstopped {
    ResultList list{"monitor.unstopped[]"};
    ResultKey<int> rank{"monitor.unstopped[].rank", "", "tau: of a timer that still ran at MPI_Finalize."};
    ResultKey<std::string> routine{"monitor.unstopped[].routine", "", "tau: its name."};
  } unstopped;
  struct Ranks {
    ResultList list{"monitor.ranks[]"};
    ResultKey<int> rank{"monitor.ranks[].rank", "", "tau: in MPI_COMM_WORLD."};
    ResultKey<int> timers{"monitor.ranks[].timers", "", "tau: that it started."};
    ResultKey<int> throttled{"monitor.ranks[].throttled", "", "tau: of its timers, switched off."};
    ResultKey<int> dumps{"monitor.ranks[].dumps", "profiles", "tau: that it handed over while it ran."};
    ResultKey<double> measuring_s{"monitor.ranks[].measuring_s", "s", "tau: CPU time of its timers."};
    ResultKey<double> formatting_s{"monitor.ranks[].formatting_s", "s",
                                   "tau: that it took to make profiles into text."};
    ResultKey<double> transport_s{"monitor.ranks[].transport_s", "s", "tau: that it was in the transport's calls."};
    ResultKey<double> open_loop_dilation{"monitor.ranks[].open_loop_dilation", "",
                                         "tau: CPU time of its timers, by what else it took."};
  } ranks;
};
inline constexpr TauKeys tau_keys{};

} // namespace hypermon
