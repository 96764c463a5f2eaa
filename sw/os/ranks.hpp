// SPDX-License-Identifier: BSD-3-Clause
// The ranks of all programs: their places, the rank whose actor is calling, and what each rank waits for.
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

/// A rank's reads of the clock (clock_looks.hpp). Times are in seconds of SimGrid's clock.
struct Looks {
  double ahead = 0; // time of the clock reads that it has not slept for yet
  double slept_until = -1;
  std::int64_t in_a_row = 0;
};

/// What a rank is blocked on. The text is only made on request.
struct WaitsFor {
  const char* call = nullptr; // null: not blocked
  const char* direction = ""; // "" without peer and tag
  int peer = 0;               // or MPI_ANY_SOURCE
  int tag = 0;                // or MPI_ANY_TAG
  std::string text() const;
};

/// What a rank does and how long it took.
// One a rank, in an order to be read. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct RankState {
  int rank = 0;            // among the processes of all programs
  std::size_t program = 0; // 0: the monitored program; neighbours count from 1
  int first = 0;           // process that is rank 0 of the same program
  NodeKernel* kernel = nullptr;
  std::uint32_t of_kernel = 0; // number of the rank among the ranks of its kernel
  bool instrumented = true;    // false for the host and for neighbours
  WaitsFor waits_for;          // for the report of a deadlock
  bool measured = false;       // between start and end of the measured section
  Time begin;
  Time end;
  Time compute_time; // within the measured section
  Time emission_time;
  Time emission_before;       // emission time of its kernel when the section began
  bool shares_kernel = false; // with other ranks of its node: then only its own emissions count for it
  Time own_emissions;
  bool initialized = false; // MPI_Init has returned
  bool finalized = false;
  bool is_child = false; // process made by fork, which is no rank
  bool ended = false;    // its process has ended, as intended or not, and when
  Time ended_at = Time::never();
  Looks looks;
  const char* in_mpi = nullptr;    // the MPI function that it is in
  const char* algorithm = "nx2";   // of the library's current global operation, and the number of its
  std::int32_t algorithm_step = 0; // messages sent so far; for observers of messages
  std::uint64_t call_number = 0;   // of the current or last MPI call, from 1 on (OperationId::of_call)
  Standstill calls;                // counts MPI calls without progress of simulated time
  std::uint64_t charges = 0;       // number of its hypermon_charge calls, and their time
  Time charged;
  Time computed;                       // time of all its computation, measured or not
  Time computes_since = Time::never(); // begin of its current computation, and its kernel's time at that moment
  Time kernel_before;
  Time owed;                          // computation that it has not slept for yet (Execution::owe)
  WorkOf works_for = WorkOf::program; // its current computation, after a part for a monitor
  Time works_for_monitor;
  Time paging;                // time that it has waited for pages
  std::optional<TaskId> task; // on its node's processors; none: the rank has a processor of its own (sharing.cpp)
  bool waits_in_mpi = false;  // and has released its processor
};

/// "rank 3", "rank 3 of neighbour 0"
std::string name_of(const RankState& rank);

/// Records what the rank is blocked on, for the lifetime of this object.
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

  /// Adds a rank of the program, on `place` under `kernel`. Pointers to ranks are valid only after the last call of
  /// add().
  RankState& add(std::size_t program, simgrid::s4u::Host* place, NodeKernel& kernel);
  /// Removes all ranks, for a run without a program.
  void clear();

  /// Ranks of the monitored program, then those of each neighbour.
  const std::vector<RankState>& all() const { return all_; }
  const RankState& operator[](int rank) const { return all_[static_cast<std::size_t>(rank)]; }
  /// Number of ranks of the monitored program. Its host rank is one of them.
  int world_size() const { return size_of(0); }
  int size_of(std::size_t program) const { return sizes_[program]; }
  std::size_t programs() const { return sizes_.size(); }
  simgrid::s4u::Host* place_of(int rank) const { return places_[static_cast<std::size_t>(rank)]; }
  bool has_ended(int rank) const { return (*this)[rank].ended; }

  /// Binds the calling actor to the rank.
  RankState& bind(int rank);
  /// The rank whose actor calls.
  RankState& self() { return *caller(); }
  /// Null if the calling actor is not a rank.
  RankState* caller();
  /// The rank of a SimGrid actor; null if the actor is not a rank.
  RankState* of_actor(std::size_t pid) { return pid < of_pid_.size() ? of_pid_[pid] : nullptr; }

  /// One line for each rank that has not ended: what it does and waits for. Large programs list the first ranks only.
  std::string doing() const;
  /// One line for each rank that has not ended: what it waits for. Empty if all ranks have ended.
  std::string waiting() const;
  /// Data of a message's event. peer_and_length has the peer in the upper 8 bits and the length in the lower 24. On
  /// machines with more peers both have 16 bits, and longer messages are given as 65535 (chosen).
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
/// The process has one table: functions that SMPI and the program call get no argument from hypermon.
inline RankTable& rank_table() { return *the_rank_table; }

} // namespace hypermon
