// SPDX-License-Identifier: BSD-3-Clause
// TAU's library in the program's processes: timers of routines and MPI functions, and export of profiles.
#pragma once
#include "sw/monitors/tau/core/profile_text.hpp"
#include "sw/monitors/tau/core/shared_clock.hpp"
#include "sw/monitors/tau/costs.hpp"
#include "sw/monitors/tau/profile_log.hpp"
#include "sw/mpi/observer.hpp"
#include "sw/os/operating_system.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hypermon::tau {

/// A process's measurements and their costs.
struct Process {
  Process(const NodeClock& node_clock, const Throttle& throttle) : clock(node_clock), profile(throttle) {}

  NodeClock clock; ///< clock that the process reads
  Profile profile;
  std::vector<std::uint32_t> functions{}; ///< by MPI function: number in the profile plus 1; 0: not used yet
  std::vector<std::uint32_t> routines{};  ///< by routine of the program, in the same way
  bool begun = false;
  bool ended = false;             ///< measurement has ended
  Time due = Time::never();       ///< true time of the next dump, with tau.dump = period
  Time due_local;                 ///< the same by the process's clock
  Control control{};              ///< the command in effect
  std::uint64_t news = 0;         ///< value of Transport::news() at the last check
  std::int64_t points_before = 0; ///< dump points since its last dump
  Time dumping;                   ///< time of its dumps by its clock, without the last one
  std::uint64_t timers = 0;       ///< number of started timers
  std::uint64_t looks = 0;        ///< number of timers that were not started because they are switched off
  std::uint64_t dump_points = 0;
  std::uint64_t dumps = 0; ///< number of dumps, without the last one
  Time measuring;          ///< true CPU time
  Time clock_wait;         ///< part of it in which other processes kept the node's clock busy
  Time formatting;
  Time transporting; ///< time in the transport's calls
  Time longest_dump;
  std::vector<std::string> unstopped{}; ///< timers that ran at MPI_Finalize
};

class Measurement final : public MpiObserver {
public:
  /// `transport`: null if profiles stay in the processes until the program ends. `folder`: the run's folder; it gets a
  /// folder with the final profiles.
  Measurement(const Spec& spec, OperatingSystem& os, Transport* transport, ProfileLog& log,
              const std::filesystem::path& folder);

  void enter(const RankState& rank, const MpiCall& call) override;
  void leave(const RankState& rank, const MpiCall& call) override;
  void start_timer(RankState& rank, const Routine& routine) override;
  void stop_timer(RankState& rank, const Routine& routine) override;
  void dump_point(RankState& rank) override;

  /// By rank; null: not measured.
  const std::vector<std::unique_ptr<Process>>& processes() const { return processes_; }

private:
  Process* find(const RankState& rank) { return processes_[static_cast<std::size_t>(rank.rank)].get(); }
  void begin(RankState& rank, Process& process) const;
  /// Reads new commands, if any. Called at starts and stops of timers, and at dump points.
  void look_for_news(RankState& rank, Process& process) const {
    if (transport_ != nullptr && process.news != transport_->news()) [[unlikely]]
      obey(rank, process);
  }
  void obey(RankState& rank, Process& process) const;
  std::uint32_t function(Process& process, MpiFunction function) const;
  static std::uint32_t routine(Process& process, const Routine& routine);
  void start(RankState& rank, Process& process, std::uint32_t routine);
  void stop(RankState& rank, Process& process, std::uint32_t routine);
  /// The process is about to read its clock, and waits while other processes of its node keep that clock busy.
  void await_clock(RankState& rank, Process& process);
  /// CPU time of the process. The rank sleeps for it later.
  void work(RankState& rank, Process& process, Time nominal) const;
  void dump_if_due(RankState& rank, Process& process);
  void dump(RankState& rank, Process& process, bool last);
  void hand_over(RankState& rank, Process& process, const Dump& dump, const std::string& text);
  void finish(RankState& rank, Process& process);
  Metadata metadata(const RankState& rank, const Process& process, Time now) const;

  OperatingSystem& os_;
  TauParams params_;
  TimerCosts costs_;
  Time command_; ///< CPU time to obey a command
  std::string program_;
  Transport* transport_;
  ProfileLog& log_;
  std::filesystem::path folder_;
  std::array<std::string, mpi_function_names.size()> function_names_; ///< in the form "MPI_Send()"
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<SharedClock> shared_clocks_; ///< by node; empty: processes do not wait for their clocks
};

} // namespace hypermon::tau
