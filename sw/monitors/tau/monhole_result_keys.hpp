// SPDX-License-Identifier: BSD-3-Clause
// Result keys of TAU's profiles that leave by Supermon.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct TauSupermonKeys {
  struct MonholeWrites {
    ResultKey<int> writes{"monitor.monhole_writes.writes", "",
                          "Number of TAU profiles that processes wrote to their nodes' monholes."};
    ResultKey<int> bytes{"monitor.monhole_writes.bytes", "B",
                         "Size of the TAU profiles that processes wrote to their nodes' monholes, as s-expressions."};
    ResultKey<int> failed{"monitor.monhole_writes.failed", "",
                          "Number of writes of TAU profiles that failed because the node had no mon."};
    ResultKey<double> waited_s{"monitor.monhole_writes.waited_s", "s",
                               "Time that processes waited for their writes of TAU profiles to monholes, in total."};
    ResultKey<double> longest_wait_s{"monitor.monhole_writes.longest_wait_s", "s",
                                     "Longest time that a process waited for a write of a TAU profile to a monhole."};
  } monhole_writes;
  struct Control {
    ResultKey<int> commands{"monitor.control.commands", "",
                            "Number of commands by the client that holds TAU's overhead below its target."};
    ResultKey<int> every{"monitor.control.every", "",
                         "Number of dump points from one TAU dump to the next, by the client's last command."};
    struct Off {
      ResultList list{"monitor.control.off[]"};
      ResultKey<std::string> routine{"monitor.control.off[].routine", "",
                                     "Routine that the client's last command leaves switched off in TAU."};
    } off;
    ResultKey<bool> is_obeyed{"monitor.control.is_obeyed", "",
                              "True if all processes with profiles at the client obey its last command."};
    ResultKey<bool> out_of_reach{"monitor.control.out_of_reach", "",
                                 "True if TAU's overhead would exceed the target even with the fewest dumps and with "
                                 "all permitted routines switched off."};
    ResultKey<int> intervals_above{"monitor.control.intervals_above", "",
                                   "Number of judged intervals in which TAU's overhead was above the target."};
    struct Intervals {
      ResultList list{"monitor.control.intervals[]"};
      ResultKey<double> at_s{"monitor.control.intervals[].at_s", "s",
                             "Time at which the client judged an interval of TAU's overhead."};
      ResultKey<double> overhead_percent{"monitor.control.intervals[].overhead_percent", "%",
                                         "Overhead of TAU's timers and dumps in the interval, computed from the "
                                         "profiles, relative to the time without them."};
    } intervals;
  } control;
};
inline constexpr TauSupermonKeys tau_supermon_keys{};

} // namespace hypermon
