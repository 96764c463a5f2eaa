// SPDX-License-Identifier: BSD-3-Clause
// Result keys of TAU's profiles that leave by files.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct TauNfsKeys {
  struct DumpTimes {
    ResultKey<double> mean_ms{"monitor.dump_times.mean_ms", "ms",
                              "Mean time that a process spent in the system calls of a TAU dump, over all processes "
                              "and dumps; absent without dumps."};
    ResultKey<double> least_ms{"monitor.dump_times.least_ms", "ms",
                               "Shortest time that a process spent in the system calls of a TAU dump."};
    ResultKey<double> most_ms{"monitor.dump_times.most_ms", "ms",
                              "Longest time that a process spent in the system calls of a TAU dump."};
    ResultKey<double> spread_ms{
        "monitor.dump_times.spread_ms", "ms",
        "Difference between the longest and the shortest time of a process in one TAU dump, averaged over all dumps."};
    ResultKey<double> all_ms{
        "monitor.dump_times.all_ms", "ms",
        "Time from the first process's entry into a TAU dump to the last one's exit, averaged over all dumps."};
    ResultKey<double> of_a_process_s{"monitor.dump_times.of_a_process_s", "s",
                                     "Mean time of each TAU dump per process, summed over the dumps: the run time that "
                                     "dumps cost if they take the same time in every process."};
    struct Dumps {
      ResultList list{"monitor.dump_times.dumps[]"};
      ResultKey<int> number{"monitor.dump_times.dumps[].number", "",
                            "Number of a TAU dump by all processes, counted from 0."};
      ResultKey<double> begin_s{"monitor.dump_times.dumps[].begin_s", "s",
                                "Time at which the first process entered the TAU dump."};
      ResultKey<double> all_ms{"monitor.dump_times.dumps[].all_ms", "ms",
                               "Time from the first process's entry into the TAU dump to the last one's exit."};
      ResultKey<double> mean_ms{"monitor.dump_times.dumps[].mean_ms", "ms",
                                "Mean time that a process spent in the system calls of the TAU dump."};
      ResultKey<double> least_ms{"monitor.dump_times.dumps[].least_ms", "ms",
                                 "Shortest time that a process spent in the system calls of the TAU dump."};
      ResultKey<double> most_ms{"monitor.dump_times.dumps[].most_ms", "ms",
                                "Longest time that a process spent in the system calls of the TAU dump."};
    } dumps;
  } dump_times;
  struct Consumer {
    ResultKey<int> looks{"monitor.consumer.looks", "looks",
                         "Number of times that the consumer polled TAU's profile files."};
    ResultKey<int> late{"monitor.consumer.late", "looks",
                        "Number of the consumer's polls of TAU's profile files that began late because the previous "
                        "poll took longer than the period."};
    ResultKey<int> profiles{"monitor.consumer.profiles", "profiles", "Number of TAU profiles that the consumer read."};
    ResultKey<double> longest_look_ms{"monitor.consumer.longest_look_ms", "ms",
                                      "Duration of the consumer's longest poll of TAU's profile files."};
  } consumer;
};
inline constexpr TauNfsKeys tau_nfs_keys{};

} // namespace hypermon
