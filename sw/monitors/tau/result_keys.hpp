// SPDX-License-Identifier: BSD-3-Clause
// Result keys of TAU.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct TauKeys {
  ResultKey<std::string> transport{"monitor.transport", "",
                                   "Transport of TAU's profiles while the program ran: none, file or monhole."};
  ResultKey<std::string> profiles{"monitor.profiles", "",
                                  "Folder of the processes' final TAU profiles, relative to the run's folder."};
  ResultKey<int> timers{"monitor.timers", "", "Number of TAU timers that all processes started."};
  ResultKey<int> looks{
      "monitor.looks", "",
      "Number of times that processes reached a TAU timer that was switched off and did not start it."};
  ResultKey<int> throttled{"monitor.throttled", "",
                           "Number of TAU timers that were switched off, summed over all processes."};
  ResultKey<int> dumps{"monitor.dumps", "profiles",
                       "Number of TAU profiles that processes handed to the transport while the program ran."};
  ResultKey<int> final_profiles{"monitor.final_profiles", "profiles",
                                "Number of TAU profiles written at MPI_Finalize."};
  ResultKey<int> read_again{"monitor.read_again", "profiles",
                            "Number of TAU profiles that a consumer read although they had arrived before."};
  ResultKey<double> measuring_s{"monitor.measuring_s", "s", "CPU time of TAU's timers in all processes."};
  ResultKey<double> clock_wait_s{"monitor.clock_wait_s", "s",
                                 "Part of monitor.measuring_s in which processes waited for the clock of their node "
                                 "(tau.clock_access_us)."};
  ResultKey<double> formatting_s{
      "monitor.formatting_s", "s",
      "Time that all processes spent on formatting TAU profiles as text, final ones included."};
  ResultKey<double> transport_s{
      "monitor.transport_s", "s",
      "Time that all processes spent in calls of TAU's transport, those for final profiles included."};
  ResultKey<double> longest_dump_s{"monitor.longest_dump_s", "s",
                                   "Longest time from the taking of a TAU profile until its process continued."};
  ResultKey<double> open_loop_dilation{"monitor.open_loop_dilation", "",
                                       "Largest ratio in any process of the CPU time of its TAU timers to the rest of "
                                       "its measured time. The ratio ignores processes that wait for each other."};
  struct SystemCalls {
    ResultList list{"monitor.system_calls[]"};
    ResultKey<std::string> call{"monitor.system_calls[].call", "",
                                "System call of the processes that TAU's model times: calls on files, and on sockets "
                                "if ktau.messages sends messages over sockets."};
    ResultKey<int> calls{"monitor.system_calls[].calls", "calls",
                         "Number of times that all processes made the system call."};
    ResultKey<double> time_s{"monitor.system_calls[].time_s", "s",
                             "Time that all processes spent in the system call, in total."};
    ResultKey<double> longest_ms{
        "monitor.system_calls[].longest_ms", "ms",
        "Longest duration of the system call. For messages, it is the longest time that one MPI call spent in it."};
  } system_calls;
  struct Unstopped {
    ResultList list{"monitor.unstopped[]"};
    ResultKey<int> rank{"monitor.unstopped[].rank", "",
                        "Rank of the process with a TAU timer that still ran at MPI_Finalize."};
    ResultKey<std::string> routine{"monitor.unstopped[].routine", "",
                                   "Routine of the TAU timer that still ran at MPI_Finalize."};
  } unstopped;
  struct Ranks {
    ResultList list{"monitor.ranks[]"};
    ResultKey<int> rank{"monitor.ranks[].rank", "", "Rank of the process in MPI_COMM_WORLD."};
    ResultKey<int> timers{"monitor.ranks[].timers", "", "Number of TAU timers that the process started."};
    ResultKey<int> throttled{"monitor.ranks[].throttled", "",
                             "Number of the process's TAU timers that were switched off."};
    ResultKey<int> dumps{"monitor.ranks[].dumps", "profiles",
                         "Number of TAU profiles that the process handed to the transport while it ran."};
    ResultKey<double> measuring_s{"monitor.ranks[].measuring_s", "s", "CPU time of the process's TAU timers."};
    ResultKey<double> formatting_s{"monitor.ranks[].formatting_s", "s",
                                   "Time that the process spent on formatting TAU profiles as text."};
    ResultKey<double> transport_s{"monitor.ranks[].transport_s", "s",
                                  "Time that the process spent in calls of TAU's transport."};
    ResultKey<double> open_loop_dilation{
        "monitor.ranks[].open_loop_dilation", "",
        "Ratio of the CPU time of the process's TAU timers to the rest of its measured time."};
  } ranks;
};
inline constexpr TauKeys tau_keys{};

} // namespace hypermon
