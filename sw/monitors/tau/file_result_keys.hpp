// SPDX-License-Identifier: BSD-3-Clause
// Result keys of TAU's profiles that leave by files.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct TauNfsKeys {
  struct DumpTimes {
    ResultKey<double> mean_ms{
        "monitor.dump_times.mean_ms", "ms",
        "tau_nfs: that a process was in a dump's system calls, of all processes and dumps; not there without dumps."};
    ResultKey<double> least_ms{"monitor.dump_times.least_ms", "ms", "tau_nfs: the least."};
    ResultKey<double> most_ms{"monitor.dump_times.most_ms", "ms", "tau_nfs: the most."};
    ResultKey<double> spread_ms{
        "monitor.dump_times.spread_ms", "ms",
        "tau_nfs: the most less the least of the processes of one dump, in the mean of all dumps."};
    ResultKey<double> all_ms{
        "monitor.dump_times.all_ms", "ms",
        "tau_nfs: from the first process's entry to the last one's exit, in the mean of all dumps."};
    ResultKey<double> of_a_process_s{"monitor.dump_times.of_a_process_s", "s",
                                     "tau_nfs: the sum of all dumps' means over processes: what dumps take of a run "
                                     "whose processes all take the same."};
    struct Dumps {
      ResultList list{"monitor.dump_times.dumps[]"};
      ResultKey<int> number{"monitor.dump_times.dumps[].number", "", "tau_nfs: of a dump of all processes, from 0 on."};
      ResultKey<double> begin_s{"monitor.dump_times.dumps[].begin_s", "s",
                                "tau_nfs: when the first process entered it."};
      ResultKey<double> all_ms{"monitor.dump_times.dumps[].all_ms", "ms", "tau_nfs: until the last one left it."};
      ResultKey<double> mean_ms{"monitor.dump_times.dumps[].mean_ms", "ms", "tau_nfs: of a process."};
      ResultKey<double> least_ms{"monitor.dump_times.dumps[].least_ms", "ms", "tau_nfs: the least."};
      ResultKey<double> most_ms{"monitor.dump_times.dumps[].most_ms", "ms", "tau_nfs: the most."};
    } dumps;
  } dump_times;
  struct Consumer {
    ResultKey<int> looks{"monitor.consumer.looks", "looks", "tau_nfs: that the consumer had at the files."};
    ResultKey<int> late{"monitor.consumer.late", "looks", "tau_nfs: that began late, as the one before took longer."};
    ResultKey<int> profiles{"monitor.consumer.profiles", "profiles", "tau_nfs: that it has read."};
    ResultKey<double> longest_look_ms{"monitor.consumer.longest_look_ms", "ms", "tau_nfs: that one of its looks took."};
  } consumer;
};
inline constexpr TauNfsKeys tau_nfs_keys{};

} // namespace hypermon
