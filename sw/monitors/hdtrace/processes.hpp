// SPDX-License-Identifier: BSD-3-Clause
// The traced processes: the current call of each, and the tokens by which file system operations name that call as
// their cause.
#pragma once
#include "hw/machine/operation.hpp"
#include "sw/monitors/hdtrace/recording.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermon::hdtrace {

/// A message of a collective call, as seen by its sender or its receiver.
struct Nested {
  std::string_view name;
  Attributes attributes;
  Time begin; ///< true time
  Time end = Time::never();
};

struct Process {
  int rank = 0;
  std::size_t node = 0;
  Path path;
  TraceStream trace;
  TraceStream relations;
  Output info;
  std::string info_text{};
  // State of the current call.
  std::uint64_t call = 0; ///< 0: not in a call
  std::string name{};
  Time begin{};       ///< true time
  Time begin_local{}; ///< time by its node's clock
  std::vector<Nested> nested{};
  bool communicates = false;
  bool opens_up = false;                ///< collective call whose messages are nested states
  std::optional<std::uint64_t> token{}; ///< token of the call: an operation was done for it
  // Totals over all calls.
  std::uint64_t states = 0;
  std::uint64_t tokens = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> token_of_call{};
  bool finished = false;

  std::int64_t number() const { return 1000 + rank; } ///< process numbers like those of an operating system
};

/// A rank of the monitored program and its node.
struct RankPlace {
  int rank;
  std::size_t node;
};

class Processes {
public:
  Processes(Recording& recording, const std::vector<RankPlace>& ranks);
  /// Null if the rank does not belong to the monitored program.
  Process* find(int rank) {
    return rank >= 0 && static_cast<std::size_t>(rank) < all_.size() ? all_[static_cast<std::size_t>(rank)].get()
                                                                     : nullptr;
  }
  std::vector<std::unique_ptr<Process>>& all() { return all_; }
  const std::vector<std::unique_ptr<Process>>& all() const { return all_; }
  /// Token of the call in its process's relations; made if there is none yet. None if the call is over.
  std::optional<std::uint64_t> token(Process& process, std::uint64_t call, Time now);

private:
  Recording& recording_;
  std::vector<std::unique_ptr<Process>> all_; // by rank
};

/// Rank and number of the MPI call with that operation id; none if the id does not belong to a call.
struct CallOf {
  int rank;
  std::uint64_t call;
};
std::optional<CallOf> call_of(OperationId id);

} // namespace hypermon::hdtrace
