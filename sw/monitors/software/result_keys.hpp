// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the software monitor.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct SoftwareKeys {
  ResultKey<std::vector<int>> buffer_bytes{"monitor.buffer_bytes[]", "B",
                                           "software: most in each node's trace buffer, or in each process's."};
  ResultKey<bool> overrun{"monitor.overrun", "", "software: was anything lost to a full trace buffer?"};
  ResultKey<std::optional<double>> first_overrun_s{"monitor.first_overrun_s", "s", "When first; null if never."};
  struct Trace {
    ResultKey<double> recording_s{"monitor.trace.recording_s", "s",
                                  "software, of processes: CPU time of their records."};
    ResultKey<int> flushes{"monitor.trace.flushes", "", "software, of processes: of full buffers."};
    ResultKey<double> flushing_s{"monitor.trace.flushing_s", "s",
                                 "software, of processes: that they waited for these meanwhile."};
    ResultKey<double> longest_flush_s{"monitor.trace.longest_flush_s", "s", "software, of processes: of one of them."};
    ResultKey<double> closing_s{"monitor.trace.closing_s", "s",
                                "software, of processes: behind the measured section, the longest that comparing "
                                "clocks and writing what was left took one of them."};
    ResultKey<int> writes{"monitor.trace.writes", "", "software, of processes: to file servers."};
    ResultKey<int> written_bytes{"monitor.trace.written_bytes", "B", "software, of processes: by these."};
    ResultKey<int> pairs{"monitor.trace.pairs", "", "software, of processes: of a message's two ends on two nodes."};
    ResultKey<int> violations_as_written{"monitor.trace.violations_as_written", "",
                                         "software, of processes: of these, before clocks are put right."};
    struct Clocks {
      ResultKey<double> begin_s{"monitor.trace.clocks.begin_s", "s",
                                "software.clocks = linear: what comparing took at MPI_Init."};
      ResultKey<double> end_s{"monitor.trace.clocks.end_s", "s", "software.clocks = linear: at MPI_Finalize."};
      struct Processes {
        ResultList list{"monitor.trace.clocks.processes[]"};
        ResultKey<int> rank{"monitor.trace.clocks.processes[].rank", "",
                            "software.clocks = linear: all but the first."};
        ResultKey<std::optional<double>> begin_us{"monitor.trace.clocks.processes[].begin_us", "us",
                                                  "software.clocks = linear: its clock less the first one's, as found "
                                                  "at MPI_Init; null if no probe was answered."};
        ResultKey<std::optional<double>> begin_round_trip_us{
            "monitor.trace.clocks.processes[].begin_round_trip_us", "us",
            "software.clocks = linear: of the probe that counts; null if no probe was answered."};
        ResultKey<std::optional<double>> end_us{
            "monitor.trace.clocks.processes[].end_us", "us",
            "software.clocks = linear: at MPI_Finalize; null if no probe was answered."};
        ResultKey<std::optional<double>> end_round_trip_us{
            "monitor.trace.clocks.processes[].end_round_trip_us", "us",
            "software.clocks = linear: of that probe; null if no probe was answered."};
      } processes;
    } clocks;
  } trace;
};
inline constexpr SoftwareKeys software_keys{};

} // namespace hypermon
