// SPDX-License-Identifier: BSD-3-Clause
// The ranks of all programs: where they are, which of them calls, and what they wait for.
#pragma once
#include "hw/cosim/standstill.hpp"
#include "hw/machine/task.hpp"
#include "sw/os/node_kernel.hpp"
#include "sw/os/work_of.hpp"

#include <simgrid/forward.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

/// A rank's looks at clocks (clock_looks.hpp), in SimGrid's seconds.
struct Looks {
  double ahead = 0; // how far it has looked without sleeping; 0: it has slept
  double slept_until = -1;
  std::int64_t in_a_row = 0;
};

/// What a rank is blocked on; put into words only if somebody asks.
struct WaitsFor {
  const char* call = nullptr; // none: on nothing
  const char* direction = ""; // "" without peer and tag
  int peer = 0;               // or MPI_ANY_SOURCE
  int tag = 0;                // or MPI_ANY_TAG
  std::string text() const;
};

/// What a rank does and how long it took.
// One a rank, in an order to be read. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct RankState {
  int rank = 0;            // among the processes of all programs
  std::size_t program = 0; // the monitored one, or one of its neighbours from 1 on
  int first = 0;           // process that is rank 0 of the same program
  NodeKernel* kernel = nullptr;
  std::uint32_t of_kernel = 0; // its number among the ranks of this kernel
  bool instrumented = true;    // the host is not, nor is a neighbour
  WaitsFor waits_for;          // for the report of a deadlock
  bool measured = false;       // between start and end of the measured section
  Time begin;
  Time end;
  Time compute_time; // within the measured section
  Time emission_time;
  Time emission_before;       // the kernel's, when the section began
  bool shares_kernel = false; // with other ranks of its node: then only its own emissions are its
  Time own_emissions;
  bool initialized = false; // MPI_Init has returned
  bool finalized = false;
  bool is_child = false; // of fork: this process is none of the ranks
  bool ended = false;    // its process, whether it was to or not; when
  Time ended_at = Time::never();
  Looks looks;
  const char* in_mpi = nullptr;  // the MPI function that it is in
  const char* algorithm = "nx2"; // of the library's global operation that it is in, and how many messages of it it has
  std::int32_t algorithm_step = 0; // sent: what observers of messages are told
  std::uint64_t call_number = 0;   // of it, or of the last one: from 1 on (OperationId::of_call)
  Standstill calls;                // of MPI, while simulated time stands still
  std::uint64_t charges = 0;       // by the program (hypermon_charge), and their time
  Time charged;
  Time computed;                       // all that it has computed, measured or not
  Time computes_since = Time::never(); // what it computes now: when it began, and the kernel's time until then
  Time kernel_before;
  Time owed;                          // it has computed for so long, and has not slept for it yet (Execution::owe)
  WorkOf works_for = WorkOf::program; // what it computes now, but for the first so much of it, a monitor's
  Time works_for_monitor;
  Time paging;                // for so long it waited for pages
  std::optional<TaskId> task; // on its node's processors; none: it has one for itself (sharing.cpp)
  bool waits_in_mpi = false;  // and has left its processor
};

/// "rank 3", "rank 3 of neighbour 0"
std::string name_of(const RankState& rank);

/// Names what the rank is blocked on while it is.
class Waiting {
public:
  Waiting(RankState& self, const WaitsFor& what) : self_(self) { self_.waits_for = what; }
  ~Waiting() { self_.waits_for = {}; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

private:
  RankState& self_;
};

class RankTable {
public:
  RankTable() = default;
  RankTable(const RankTable&) = delete; // others point into it
  RankTable& operator=(const RankTable&) = delete;

  /// Adds a rank of the program, on `place` under `kernel`. Pointers to ranks hold after the last call only.
  RankState& add(std::size_t program, simgrid::s4u::Host* place, NodeKernel& kernel);
  /// Removes all ranks: no program runs.
  void clear();

  /// Of the monitored program, then of each neighbour.
  const std::vector<RankState>& all() const { return all_; }
  const RankState& operator[](int rank) const { return all_[static_cast<std::size_t>(rank)]; }
  /// Ranks of the monitored program: its host rank is one of them.
  int world_size() const { return size_of(0); }
  int size_of(std::size_t program) const { return sizes_[program]; }
  std::size_t programs() const { return sizes_.size(); }
  simgrid::s4u::Host* place_of(int rank) const { return places_[static_cast<std::size_t>(rank)]; }
  bool has_ended(int rank) const { return (*this)[rank].ended; }

  /// Makes the calling actor the rank's.
  RankState& bind(int rank);
  /// The rank whose actor calls.
  RankState& self() { return *caller(); }
  /// None, if it is not a rank's.
  RankState* caller();
  /// The rank of SimGrid's actor; null: the actor is not a rank's.
  RankState* of_actor(std::size_t pid) { return pid < of_pid_.size() ? of_pid_[pid] : nullptr; }

  /// What each rank that has not ended does, a line each, with what it waits for; of the first ones of many.
  std::string doing() const;
  /// What each rank that has not ended waits for, a line each; empty: all have ended.
  std::string waiting() const;
  /// What events say of a message. peer_and_length: the peer in the upper 8 bits and the length in the lower 24; on
  /// machines whose peers need more, 16 bits each, longer messages as 65535 (chosen).
  PointData describe(int peer, std::int64_t bytes, int tag) const {
    const auto from = static_cast<std::uint32_t>(peer);
    return {.peer = from,
            .bytes = static_cast<std::uint32_t>(bytes),
            .tag = static_cast<std::uint32_t>(tag),
            .peer_and_length = world_size() <= 256
                                   ? from << 24 | static_cast<std::uint32_t>(bytes & 0xffffff)
                                   : from << 16 | static_cast<std::uint32_t>(std::min<std::int64_t>(bytes, 0xffff))};
  }

private:
  std::vector<RankState> all_;
  std::vector<simgrid::s4u::Host*> places_; // by rank
  std::vector<int> sizes_;                  // by program
  std::vector<RankState*> of_pid_;          // null: not a rank
};

inline RankTable* the_rank_table = nullptr;
/// The table of the process: functions that SMPI and the program call have no argument of ours.
inline RankTable& rank_table() { return *the_rank_table; }

} // namespace hypermon
