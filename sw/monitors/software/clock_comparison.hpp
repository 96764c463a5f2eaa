// SPDX-License-Identifier: BSD-3-Clause
// The clocks of a program's processes, compared with the first one's while all of them wait: when they begin and when
// they end. Process after process, by messages there and back (sw/monitors/offset_probes.hpp).
#pragma once
#include "sw/monitors/offset_probes.hpp"
#include "sw/monitors/software/core/clock_line.hpp"
#include "sw/monitors/software/params.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <array>
#include <optional>
#include <vector>

namespace hypermon {
struct RankState;
}

namespace hypermon::software {

class ClockComparison {
public:
  enum class When : std::uint8_t { begin, end };
  /// `nodes`: of each process.
  ClockComparison(const SoftwareParams& params, Site& site, NetworkId network, std::vector<NodeId> nodes);
  /// From each process once: returns when all have come and the clocks have been compared.
  void compare(RankState& rank, When when);
  /// What was found of a process's clock; nothing of the first one's.
  const std::optional<ClockOffset>& found(When when, std::size_t process) const { return of(when).found[process]; }
  ClockLine line(std::size_t process) const;
  /// From the last process's coming to the end.
  Time took(When when) const { return of(when).took; }

private:
  struct Round {
    std::size_t came = 0;
    Time took;
    std::vector<std::optional<ClockOffset>> found;
    simgrid::s4u::SemaphorePtr done = simgrid::s4u::Semaphore::create(0);
  };
  Round& of(When when) { return rounds_[static_cast<std::size_t>(when)]; }
  const Round& of(When when) const { return rounds_[static_cast<std::size_t>(when)]; }
  void work(Daemon& self);

  SoftwareParams params_;
  Site& site_;
  OffsetProbe probe_;
  std::vector<NodeId> nodes_;
  std::array<Round, 2> rounds_;
  simgrid::s4u::SemaphorePtr asked_ = simgrid::s4u::Semaphore::create(0);
  simgrid::s4u::SemaphorePtr answered_ = simgrid::s4u::Semaphore::create(0);
};

} // namespace hypermon::software
