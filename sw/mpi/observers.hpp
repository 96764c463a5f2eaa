// SPDX-License-Identifier: BSD-3-Clause
// The observers of the programs' MPI calls.
#pragma once
#include "sw/mpi/observer.hpp"
#include "sw/os/operating_system.hpp"

#include <vector>

namespace hypermon {

class MpiObservers {
public:
  explicit MpiObservers(OperatingSystem& os) : os_(os) {}
  /// `observer` is notified of all MPI calls of the monitored program, and of the program's actions between them. Call
  /// before the ranks start; it must outlive this object.
  void add(MpiObserver& observer) {
    all_.push_back(&observer);
    os_.execution.observe(observer);
  }
  /// Observers of the rank's calls; empty for a neighbour's rank.
  const std::vector<MpiObserver*>& for_rank(const RankState& rank) const {
    static const std::vector<MpiObserver*> none;
    return rank.program == 0 ? all_ : none;
  }
  /// True if an observer or an event needs the rank's MPI calls.
  bool watch(const RankState& rank) const { return rank.program == 0 && (os_.kernels.emits_mpi() || !all_.empty()); }

private:
  OperatingSystem& os_;
  std::vector<MpiObserver*> all_;
};

} // namespace hypermon
