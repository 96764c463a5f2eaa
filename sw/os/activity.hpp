// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of the monitored program do, for a file that says when they computed: told by Execution, kept by
// ActivityLog.
//
// A rank computes while its processor runs the program's own code: not in an MPI call or another system call, nor while
// an interrupt or a monitor has the processor, nor while it waits for one (cpu.*) or for pages (memory.*).
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
  /// Before the ranks start. `most`: pieces of time that are kept exactly (ActivityLog).
  ActivityRecorder(OperatingSystem& os, std::size_t most);

  // --- by Execution --------------------------------------------------------------------------------------------------
  void interrupted(NodeId node, Time begin, Time end, Time for_monitor) override;
  /// The rank has computed for `work`, in one go; what is left of the time was taken by interrupts.
  void worked(RankState& rank, Time begin, Time end, Time work);
  /// SimGrid has executed the program's own code, whatever interrupts there were.
  void executed(const RankState& rank, Time begin, Time end);
  /// The rank's kernel works for it, from then until then.
  void kernel_begins(const RankState& rank, Time begin);
  void kernel_ends(const RankState& rank, Time end, WorkOf of);
  /// The rank shares its node's processors.
  void joins(RankState& rank);

  /// After the run: activity.npy, a row for each piece, and activity.json, which says of whom.
  void write(const std::filesystem::path& folder) const;

private:
  struct Interrupt {
    Time begin;
    Time end;
    Time for_monitor;
  };
  struct Node {
    std::vector<const RankState*> ranks;
    std::deque<Interrupt> interrupts; // since the first of its ranks that compute began to
    std::vector<RankState*> tasks;    // by TaskId; null: not a rank's
  };
  struct Rank {
    Time kernel_began;
    Time emission_before;
    std::array<Time, 3> work{}; // by WorkOf, within the measured section
  };

  bool is_of_program(const RankState& rank) const;
  Node& node(const RankState& rank);
  Rank& of(const RankState& rank);
  void progress(RankState& rank, Time begin, Time end);
  void add(const RankState& rank, WorkOf of, Time begin, Time end);

  OperatingSystem& os_;
  ActivityLog log_;
  std::vector<Node> nodes_;
  std::vector<Rank> ranks_; // of the monitored program
};

} // namespace hypermon
