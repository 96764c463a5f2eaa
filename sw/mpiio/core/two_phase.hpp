// SPDX-License-Identifier: BSD-3-Clause
// Two-phase collective I/O as in ROMIO (ad_aggregate.c, ad_write_coll.c). The file from the first to the last accessed
// byte is divided among aggregators. Each aggregator works through its domain in rounds of one buffer, and exchanges
// with the processes their data in that part.
#pragma once
#include "sw/mpiio/core/access.hpp"

namespace hypermon::mpiio {

class TwoPhase {
public:
  struct Settings {
    std::int64_t aggregators = 1;
    std::int64_t buffer_bytes = 16777216;
    std::int64_t alignment = 0; ///< alignment of domains; 0: none
  };
  /// `accesses`: of all processes, ascending in the file. At least one is not empty.
  TwoPhase(std::vector<Access> accesses, Settings settings);

  /// True if a process begins before the previous one has ended. Otherwise ROMIO uses independent accesses.
  static bool interleave(const std::vector<Access>& accesses);

  std::int64_t aggregators() const { return static_cast<std::int64_t>(windows_.size()); }
  /// The largest number of rounds of an aggregator; others idle in the last rounds.
  std::int64_t rounds() const { return rounds_; }
  /// The part of a process's data that is exchanged with an aggregator in a round.
  DataRange part(std::size_t process, std::int64_t aggregator, std::int64_t round) const;
  struct Region {
    Run run;                ///< the bytes from the first to the last accessed one
    bool has_holes = false; ///< some bytes in it are not accessed
  };
  /// The region of the round; none if nothing in it is accessed.
  std::optional<Region> region(std::int64_t aggregator, std::int64_t round) const;
  const Access& access(std::size_t process) const { return accesses_[process]; }

private:
  struct Window {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  Window window(std::int64_t aggregator, std::int64_t round) const;

  std::vector<Access> accesses_;
  Settings settings_;
  std::vector<Window> windows_; // by aggregator: the accessed part of its domain
  std::int64_t rounds_ = 0;
};

} // namespace hypermon::mpiio
