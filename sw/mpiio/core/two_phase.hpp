// SPDX-License-Identifier: BSD-3-Clause
// Two-phase collective I/O as ROMIO does it (ad_aggregate.c, ad_write_coll.c): the file between the first and the last
// byte that anybody accesses is divided among aggregators; each goes through its domain by rounds of a buffer's length,
// and exchanges with the processes what of their data lies there.
#pragma once
#include "sw/mpiio/core/access.hpp"

namespace hypermon::mpiio {

class TwoPhase {
public:
  struct Settings {
    std::int64_t aggregators = 1;
    std::int64_t buffer_bytes = 16777216;
    std::int64_t alignment = 0; ///< of domains; 0: none
  };
  /// `accesses`: of all processes, ascending in the file; somebody accesses something.
  TwoPhase(std::vector<Access> accesses, Settings settings);

  /// Does any process begin before the one before it has ended? Otherwise ROMIO lets each go alone.
  static bool interleave(const std::vector<Access>& accesses);

  std::int64_t aggregators() const { return static_cast<std::int64_t>(windows_.size()); }
  /// Of all aggregators: those that have fewer idle in the last ones.
  std::int64_t rounds() const { return rounds_; }
  /// What of a process's data goes to or comes from an aggregator in a round.
  DataRange part(std::size_t process, std::int64_t aggregator, std::int64_t round) const;
  struct Region {
    Run run;                ///< from the first byte that anybody accesses to the last one
    bool has_holes = false; ///< some bytes nobody does
  };
  /// Of the round; none, if nobody accesses anything there.
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
  std::vector<Window> windows_; // by aggregator: what anybody accesses of its domain
  std::int64_t rounds_ = 0;
};

} // namespace hypermon::mpiio
