// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the software monitor.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct SoftwareKeys {
  ResultKey<std::vector<int>> buffer_bytes{
      "monitor.buffer_bytes[]", "B",
      "Largest number of bytes in the software monitor's trace buffer of each node, or of each process."};
  ResultKey<bool> overrun{"monitor.overrun", "", "software: True if any record was lost to a full trace buffer."};
  ResultKey<std::optional<double>> first_overrun_s{
      "monitor.first_overrun_s", "s", "Time at which monitor.overrun became true; null if it stayed false."};
  struct Trace {
    ResultKey<double> recording_s{"monitor.trace.recording_s", "s",
                                  "CPU time that processes spent on writing trace records."};
    ResultKey<int> flushes{"monitor.trace.flushes", "", "Number of times that processes flushed a full trace buffer."};
    ResultKey<double> flushing_s{"monitor.trace.flushing_s", "s",
                                 "Time that processes waited for the flushing of full trace buffers."};
    ResultKey<double> longest_flush_s{"monitor.trace.longest_flush_s", "s",
                                      "Longest time that a process waited for the flushing of a full trace buffer."};
    ResultKey<double> closing_s{"monitor.trace.closing_s", "s",
                                "Longest time that one process spent after the measured section on comparing clocks "
                                "and writing the rest of its trace."};
    ResultKey<int> writes{"monitor.trace.writes", "", "Number of writes of traces to file servers."};
    ResultKey<int> written_bytes{"monitor.trace.written_bytes", "B",
                                 "Bytes of traces that processes wrote to file servers."};
    ResultKey<int> pairs{"monitor.trace.pairs", "",
                         "Number of messages with both ends traced on two nodes, by which causality is judged."};
    ResultKey<int> violations_as_written{
        "monitor.trace.violations_as_written", "",
        "Number of messages received before they were sent by the traces' timestamps, before clocks are corrected."};
    struct Clocks {
      ResultKey<double> begin_s{"monitor.trace.clocks.begin_s", "s",
                                "Duration of the clock comparison at MPI_Init (software.clocks = linear)."};
      ResultKey<double> end_s{"monitor.trace.clocks.end_s", "s",
                              "Duration of the clock comparison at MPI_Finalize (software.clocks = linear)."};
      struct Processes {
        ResultList list{"monitor.trace.clocks.processes[]"};
        ResultKey<int> rank{"monitor.trace.clocks.processes[].rank", "",
                            "Rank of the process with the compared clock; every traced process but the first "
                            "(software.clocks = linear)."};
        ResultKey<std::optional<double>> begin_us{
            "monitor.trace.clocks.processes[].begin_us", "us",
            "Process's clock minus the first process's clock, as measured at MPI_Init; null if no probe was answered."};
        ResultKey<std::optional<double>> begin_round_trip_us{
            "monitor.trace.clocks.processes[].begin_round_trip_us", "us",
            "Round trip of the probe that gave the clock difference at MPI_Init; null if no probe was answered."};
        ResultKey<std::optional<double>> end_us{"monitor.trace.clocks.processes[].end_us", "us",
                                                "Process's clock minus the first process's clock, as measured at "
                                                "MPI_Finalize; null if no probe was answered."};
        ResultKey<std::optional<double>> end_round_trip_us{
            "monitor.trace.clocks.processes[].end_round_trip_us", "us",
            "Round trip of the probe that gave the clock difference at MPI_Finalize; null if no probe was answered."};
      } processes;
    } clocks;
  } trace;
};
inline constexpr SoftwareKeys software_keys{};

} // namespace hypermon
