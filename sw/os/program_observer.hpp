// SPDX-License-Identifier: BSD-3-Clause
// Interface for observers of the program's actions between its MPI calls.
#pragma once
#include "base/time.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace hypermon {

struct RankState;

/// A routine that the program brackets with timers (hypermon.h). Its number is the same on all ranks.
struct Routine {
  std::uint32_t number;
  const std::string& name;
};

class ProgramObserver {
public:
  ProgramObserver() = default;
  ProgramObserver(const ProgramObserver&) = delete;
  ProgramObserver& operator=(const ProgramObserver&) = delete;
  virtual ~ProgramObserver() = default;
  /// The program computes for `nominal` CPU time between its calls, or emits its own event with hypermon_event or
  /// hypermon_emit.
  virtual void compute(const RankState& /*rank*/, Time /*nominal*/) {}
  virtual void event(const RankState& /*rank*/, unsigned char /*value*/) {}
  virtual void emit(const RankState& /*rank*/, const std::array<std::uint32_t, 4>& /*kind_and_data*/) {}
  /// The program starts a timer, stops the timer that it started last, or reaches a dump point.
  virtual void start_timer(RankState& /*rank*/, const Routine& /*routine*/) {}
  virtual void stop_timer(RankState& /*rank*/, const Routine& /*routine*/) {}
  virtual void dump_point(RankState& /*rank*/) {}
};

} // namespace hypermon
