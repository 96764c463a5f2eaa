// SPDX-License-Identifier: BSD-3-Clause
// The traced processes: what each is about, the operations of its own that others name as their cause.
#pragma once
#include "hw/machine/operation.hpp"
#include "sw/monitors/hdtrace/recording.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermon::hdtrace {

/// A message of a collective call, as its sender or its receiver sees it.
struct Nested {
  std::string_view name;
  Attributes attributes;
  Time begin; ///< true
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
  // the call that it is in
  std::uint64_t call = 0; ///< 0: in none
  std::string name{};
  Time begin{};       ///< true
  Time begin_local{}; ///< as its node's clock shows it
  std::vector<Nested> nested{};
  bool communicates = false;
  bool opens_up = false;                ///< a collective call: its messages are states in it
  std::optional<std::uint64_t> token{}; ///< of the call: something was done for it
  // of all
  std::uint64_t states = 0;
  std::uint64_t tokens = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> token_of_call{};
  bool finished = false;

  std::int64_t number() const { return 1000 + rank; } ///< of the process, as of an operating system
};

/// A rank of the monitored program, and where it runs.
struct RankPlace {
  int rank;
  std::size_t node;
};

class Processes {
public:
  Processes(Recording& recording, const std::vector<RankPlace>& ranks);
  /// Null: it is no rank of the monitored program.
  Process* of(int rank) {
    return rank >= 0 && static_cast<std::size_t>(rank) < all_.size() ? all_[static_cast<std::size_t>(rank)].get()
                                                                     : nullptr;
  }
  std::vector<std::unique_ptr<Process>>& all() { return all_; }
  const std::vector<std::unique_ptr<Process>>& all() const { return all_; }
  /// The token that the call goes by in its process's relations, made if there is none; none if the call is over.
  std::optional<std::uint64_t> token(Process& process, std::uint64_t call, Time now);

private:
  Recording& recording_;
  std::vector<std::unique_ptr<Process>> all_; // by rank
};

/// Rank and number of an MPI call by its operation's; none if it is no call's.
struct CallOf {
  int rank;
  std::uint64_t call;
};
std::optional<CallOf> call_of(OperationId id);

} // namespace hypermon::hdtrace
