// SPDX-License-Identifier: BSD-3-Clause
// The software monitor in the program's processes (Score-P's scheme). A library in each process records its MPI calls,
// messages and bracketed routines in the process's own buffer, with timestamps of its node's clock. A full buffer drops
// records, or is written to a file server while only that process waits.
#pragma once
#include "base/histogram.hpp"
#include "base/json_value.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/monitors/software/clock_comparison.hpp"
#include "sw/monitors/software/trace_file.hpp"
#include "sw/mpi/message_pairs.hpp"
#include "sw/os/ranks.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {
class Spec;
}

namespace hypermon::software {

/// A process's trace and its costs.
struct Process {
  Process(NodeId on, const NodeClock& node_clock, const SoftwareParams& params)
      : node(on), clock(node_clock), buffer(params.buffer_bytes.number, params.when_full == FullTrace::flush) {}

  NodeId node;
  NodeClock clock;
  TraceBuffer buffer;
  std::string file{};
  std::optional<ServerId> server{};
  bool begun = false;                                                    ///< MPI_Init has returned
  bool ended = false;                                                    ///< MPI_Finalize has been called
  bool made = false;                                                     ///< its file exists
  simgrid::s4u::SemaphorePtr asked = simgrid::s4u::Semaphore::create(0); ///< signals that the buffer must be written
  simgrid::s4u::SemaphorePtr done = simgrid::s4u::Semaphore::create(0);
  std::uint64_t flushes = 0;
  std::uint64_t writes = 0;
  Time recording; ///< true CPU time
  Time flushing;  ///< time that it waited for full buffers
  Time longest_flush;
  Time closing; ///< in MPI_Finalize: comparison of the clocks and final write
};

class ProcessTrace final : public Monitor, public MpiObserver {
public:
  explicit ProcessTrace(const Spec& spec);

  bool records() const override { return false; } // the monitor uses no events of the catalogue
  void start(Site& site) override;
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void finish(Time program_end) override;
  void report(Results& results, Time begin, Time end) const override;

  void enter(const RankState& rank, const MpiCall& call) override;
  void leave(const RankState& rank, const MpiCall& call) override;
  void event(const RankState& rank, unsigned char value) override;
  void emit(const RankState& rank, const std::array<std::uint32_t, 4>& kind_and_data) override;
  void start_timer(RankState& rank, const Routine& routine) override;
  void stop_timer(RankState& rank, const Routine& routine) override;

private:
  struct Pair { // timestamps as written
    int sender;
    int receiver;
    Time sent;
    Time received;
  };
  Process* find(const RankState& rank) { return processes_[static_cast<std::size_t>(rank.rank)].get(); }
  /// Null if the rank is not being traced now.
  Process* traced(const RankState& rank);
  std::int64_t bytes_of(Kind kind) const;
  /// Returns the record's timestamp.
  Time record(RankState& rank, Process& process, Kind kind, std::uint64_t argument);
  void flush(RankState& rank, Process& process);
  /// Performs the system calls for which the process waits, in place of its kernel.
  void serve(Daemon& self, Process& process) const;
  /// Writes the buffer to the process's server. Returns when everything is there.
  void write_out(RankState& rank, Process& process);
  void finish_process(RankState& rank, Process& process);
  std::uint64_t violations(const std::vector<ClockLine>& lines) const;
  void report_clocks(Results& results) const;

  const Spec& spec_;
  SoftwareParams params_;
  std::vector<std::unique_ptr<Process>> processes_; ///< by rank; null: not traced
  std::vector<std::size_t> number_of_;              ///< by rank: index among the traced ones
  std::vector<int> traced_;                         ///< ranks
  std::optional<ServerId> directory_;
  std::optional<ClockComparison> clocks_;
  std::optional<TraceFile> file_;
  MessagePairs messages_;
  std::vector<Pair> pairs_;
  TimeHistogram age_;
  TimestampError timestamp_error_;
  std::uint64_t violations_ = 0;
  std::uint64_t violations_as_written_ = 0;
};

} // namespace hypermon::software
