// SPDX-License-Identifier: BSD-3-Clause
// Records when the ranks of the monitored program computed. Execution reports the changes, ActivityLog stores them.
//
// A rank computes while its processor runs the program's own code. It does not compute in an MPI call or another system
// call, while an interrupt or a monitor has the processor, or while it waits for a processor (cpu.*) or for pages
// (memory.*).
#pragma once
#include "sw/os/activity_log.hpp"
#include "sw/os/node_kernel.hpp"
#include "sw/os/work_of.hpp"

#include <array>
#include <deque>
#include <filesystem>
#include <vector>

namespace hypermon {

struct OperatingSystem;
struct RankState;

class ActivityRecorder final : public InterruptObserver {
public:
  /// Create it before the ranks start. `most`: largest number of intervals that are kept exactly (see ActivityLog).
  ActivityRecorder(OperatingSystem& os, std::size_t most);

  // --- called by Execution -------------------------------------------------------------------------------------------
  void interrupted(NodeId node, Time begin, Time end, Time for_monitor) override;
  /// The rank has computed for `work` of the time from `begin` to `end`; interrupts took the rest.
  void worked(RankState& rank, Time begin, Time end, Time work);
  /// SimGrid has executed the program's own code (smpi_execute, sampled code). Interrupts are not subtracted.
  void executed(const RankState& rank, Time begin, Time end);
  /// Work of the rank's kernel on behalf of the rank begins and ends.
  void kernel_begins(const RankState& rank, Time begin);
  void kernel_ends(const RankState& rank, Time end, WorkOf owner);
  /// The rank shares its node's processors with other tasks.
  void joins(RankState& rank);

  /// Call after the run. Writes activity.npy, with one row per interval, and activity.json, which names the ranks.
  void write(const std::filesystem::path& folder) const;

private:
  struct Interrupt {
    Time begin;
    Time end;
    Time for_monitor;
  };
  struct Node {
    std::vector<const RankState*> ranks;
    std::deque<Interrupt> interrupts; // since the begin of the earliest current computation of a rank of the node
    std::vector<RankState*> tasks;    // rank of each TaskId; null: the task is not a rank
  };
  struct Rank {
    Time kernel_began;
    Time emission_before;
    std::array<Time, 3> work{}; // CPU time for each WorkOf, within the measured section
  };

  bool is_of_program(const RankState& rank) const;
  Node& node(const RankState& rank);
  Rank& entry(const RankState& rank);
  void progress(RankState& rank, Time begin, Time end);
  void add(const RankState& rank, WorkOf owner, Time begin, Time end);

  OperatingSystem& os_;
  ActivityLog log_;
  std::vector<Node> nodes_;
  std::vector<Rank> ranks_; // ranks of the monitored program
};

} // namespace hypermon
