// SPDX-License-Identifier: BSD-3-Clause
// Compares the clocks of a program's processes with the first process's clock while all processes wait, at their begin
// and at their end. One process after the other uses round-trip messages (sw/monitors/offset_probes.hpp).
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
  /// `nodes`: node of each process.
  ClockComparison(const SoftwareParams& params, Site& site, NetworkId network, std::vector<NodeId> nodes);
  /// Called once by each process. Returns when all have called it and the clocks have been compared.
  void compare(RankState& rank, When when);
  /// Measured offset of a process's clock; none for the first process.
  const std::optional<ClockOffset>& found(When when, std::size_t process) const {
    return round_at(when).found[process];
  }
  ClockLine line(std::size_t process) const;
  /// Time from the last process's call to the end of the comparison.
  Time took(When when) const { return round_at(when).took; }

private:
  struct Round {
    std::size_t came = 0;
    Time took;
    std::vector<std::optional<ClockOffset>> found;
    simgrid::s4u::SemaphorePtr done = simgrid::s4u::Semaphore::create(0);
  };
  Round& round_at(When when) { return rounds_[static_cast<std::size_t>(when)]; }
  const Round& round_at(When when) const { return rounds_[static_cast<std::size_t>(when)]; }
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
