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

/// The reason why a rank is blocked. The text is only made on request.
struct WaitsFor {
  const char* call = nullptr; // null: not blocked
  const char* direction = ""; // "" without peer and tag
  int peer = 0;               // or MPI_ANY_SOURCE
  int tag = 0;                // or MPI_ANY_TAG
  std::string text() const;
};

/// State of a rank's process.
struct RankLifetime {
  bool is_initialized = false; // MPI_Init has returned
  bool is_finalized = false;
  bool has_ended = false; // the process has ended, as intended or not
  Time ended_at = Time::never();
};

/// Section of the program that is measured, and the rank's times within it.
struct MeasuredSection {
  bool is_open = false;
  Time begin;
  Time end;
  Time compute_time;
  Time emission_time;
  Time emission_before; // emission time of the rank's kernel when the section began
};

/// Emissions of one of several ranks that share a kernel. The emission time of the kernel contains those of all.
struct RankEmissions {
  bool are_counted = false; // the rank shares its kernel
  Time time;
};

/// MPI call that a rank is in, or its last one.
struct RankCall {
  const char* function = nullptr; // null: the rank is in its own code
  std::uint64_t number = 0;       // counts from 1 on (OperationId::of_call)
  Standstill standstill;          // counts MPI calls without progress of simulated time
};

/// Position in the algorithm of the library's current global operation, for observers of messages.
struct AlgorithmStep {
  const char* name = "nx2"; // "nx2": the program's own message
  std::int32_t number = 0;  // messages that the algorithm has sent
};

/// Reads of the clock by a rank (repeated_clock_reads.hpp). Times are in seconds of SimGrid's clock.
struct ClockReads {
  double ahead = 0; // time of the clock reads that the rank has not slept for yet
  double slept_until = -1;
  std::int64_t in_a_row = 0;
};

/// Completions of accesses to windows while no simulated time passes (sw/mpi/window_polls.hpp).
struct WindowPolls {
  Time at = Time::never(); // the last one
  std::int64_t in_a_row = 0;
};

/// Computation of a rank, within the measured section or not.
struct RankComputation {
  Time total;
  Time since = Time::never(); // begin of the current computation, and the kernel's time at that moment
  Time kernel_before;
  Time owed;                          // computation that the rank has not slept for yet (Execution::owe)
  WorkOf works_for = WorkOf::program; // the current computation, after the part that was owed to a monitor
  Time owed_to_monitor;
  Time paging; // time that the rank has waited for pages
};

/// Computation that the program has declared with hypermon_charge.
struct DeclaredComputation {
  std::uint64_t calls = 0;
  Time time;
};

/// Use of the processors of a node by a rank that shares them (sharing.cpp).
struct ProcessorUse {
  std::optional<TaskId> task; // none: the rank has a processor of its own
  bool waits_in_mpi = false;  // True if it waits in MPI and has released its processor
};

/// One rank: its place, and the parts of its state. A function that needs one part only gets that part.
// Members are in reading order. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct RankState {
  int rank = 0;            // number among the processes of all programs
  std::size_t program = 0; // 0: the monitored program; neighbours count from 1
  int first = 0;           // process that is rank 0 of the same program
  NodeKernel* kernel = nullptr;
  std::uint32_t of_kernel = 0; // number of the rank among the ranks of its kernel
  bool instrumented = true;    // false for the host and for neighbours
  bool is_child = false;       // process made by fork, which is no rank
  RankLifetime lifetime;
  MeasuredSection section;
  RankEmissions own_emissions;
  RankCall call;
  AlgorithmStep algorithm;
  WaitsFor waits_for; // reason to wait, for the report of a deadlock
  ClockReads clock_reads;
  WindowPolls window_polls;
  RankComputation computation;
  DeclaredComputation declared;
  ProcessorUse processor;
};

/// "rank 3", "rank 3 of neighbour 0"
std::string name_of(const RankState& rank);

/// Records what a rank is blocked on, for the lifetime of this object.
class Waiting {
public:
  Waiting(WaitsFor& of_rank, const WaitsFor& what) : of_rank_(of_rank) { of_rank_ = what; }
  ~Waiting() { of_rank_ = {}; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

private:
  WaitsFor& of_rank_;
};

class RankTable {
public:
  RankTable() = default;
  RankTable(const RankTable&) = delete; // not copied, because pointers point into it
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
  bool has_ended(int rank) const { return (*this)[rank].lifetime.has_ended; }

  /// Binds the calling actor to the rank.
  RankState& bind(int rank);
  /// The rank whose actor makes the call.
  RankState& self() { return *caller(); }
  /// Null if the calling actor is not a rank.
  RankState* caller();
  /// The rank of a SimGrid actor; null if the actor is not a rank.
  RankState* of_actor(std::size_t pid) { return pid < of_pid_.size() ? of_pid_[pid] : nullptr; }

  /// One line for each rank that has not ended, with its activity and the reason why it waits. Large programs list only
  /// the first ranks.
  std::string doing() const;
  /// One line for each rank that has not ended, with the reason why it waits. Empty if all ranks have ended.
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
