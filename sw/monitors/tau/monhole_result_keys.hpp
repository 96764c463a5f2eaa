// SPDX-License-Identifier: BSD-3-Clause
// Result keys of TAU's profiles that leave by Supermon.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct TauSupermonKeys {
  struct MonholeWrites {
    ResultKey<int> writes{"monitor.monhole_writes.writes", "",
                          "tau_supermon: of processes into their nodes' monholes."};
    ResultKey<int> bytes{"monitor.monhole_writes.bytes", "B", "tau_supermon: of these, as s-expressions."};
    ResultKey<int> failed{"monitor.monhole_writes.failed", "", "tau_supermon: of these: there was no mon."};
    ResultKey<double> waited_s{"monitor.monhole_writes.waited_s", "s",
                               "tau_supermon: that processes waited to be rid of them."};
    ResultKey<double> longest_wait_s{"monitor.monhole_writes.longest_wait_s", "s",
                                     "tau_supermon: the longest of these waits."};
  } monhole_writes;
  struct Control {
    ResultKey<int> commands{"monitor.control.commands", "",
                            "tau_supermon: that the client which holds an overhead gave."};
    ResultKey<int> every{"monitor.control.every", "",
                         "tau_supermon: as it said last, dump points from one dump to the next."};
    struct Off {
      ResultList list{"monitor.control.off[]"};
      ResultKey<std::string> routine{"monitor.control.off[].routine", "", "tau_supermon: that it left switched off."};
    } off;
    ResultKey<bool> is_obeyed{"monitor.control.is_obeyed", "",
                              "tau_supermon: do all whose profiles it has seen do what it said last?"};
    ResultKey<bool> out_of_reach{
        "monitor.control.out_of_reach", "",
        "tau_supermon: is the target below what is left when all is switched off that may be?"};
    ResultKey<int> intervals_above{"monitor.control.intervals_above", "",
                                   "tau_supermon: of those that it judged, above the target."};
    struct Intervals {
      ResultList list{"monitor.control.intervals[]"};
      ResultKey<double> at_s{"monitor.control.intervals[].at_s", "s", "tau_supermon: when it judged one."};
      ResultKey<double> overhead_percent{
          "monitor.control.intervals[].overhead_percent", "%",
          "tau_supermon: what profiles told of timers and dumps, of the time without them."};
    } intervals;
  } control;
};
inline constexpr TauSupermonKeys tau_supermon_keys{};

} // namespace hypermon
