// SPDX-License-Identifier: BSD-3-Clause
// What an observer is told of a program between its MPI calls.
#pragma once
#include "base/time.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace hypermon {

struct RankState;

/// What a program brackets with timers (hypermon.h): of the same number, whichever rank brackets it.
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
  /// Between its calls the program computes for `nominal` of its CPU's time, or emits an event of its own: of
  /// hypermon_event, of hypermon_emit.
  virtual void compute(const RankState& /*rank*/, Time /*nominal*/) {}
  virtual void event(const RankState& /*rank*/, unsigned char /*value*/) {}
  virtual void emit(const RankState& /*rank*/, const std::array<std::uint32_t, 4>& /*kind_and_data*/) {}
  /// It has started a timer, it stops the one that it started last, it comes to a dump point.
  virtual void start_timer(RankState& /*rank*/, const Routine& /*routine*/) {}
  virtual void stop_timer(RankState& /*rank*/, const Routine& /*routine*/) {}
  virtual void dump_point(RankState& /*rank*/) {}
};

} // namespace hypermon
