// SPDX-License-Identifier: BSD-3-Clause
// When each rank computed, and when a monitor kept it from that, in bounded memory.
//
// The intervals are stored exactly up to a limit. Beyond it the log keeps, for each step of a time grid, the exact sum
// of the time in each state, and no longer the moments within the step. The step doubles whenever the run outgrows the
// grid.
#pragma once
#include "base/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace hypermon {

class ActivityLog {
public:
  /// States of a rank that the log records. At other times the rank is in neither.
  enum class State : std::uint8_t { computing, monitor };

  /// `most`: largest number of intervals (16 bytes each) of all ranks together; at least 4 for each rank.
  ActivityLog(std::size_t ranks, std::size_t most);

  /// The rank was in the state from `begin` to `end`. A rank's intervals arrive in the order of time. The part that
  /// overlaps an earlier interval is left out: SimGrid's times of computations between SMPI's messages are only exact
  /// to a nanosecond.
  void add(std::size_t rank, State state, Time begin, Time end);

  /// Step of the grid; 0: all intervals are exact.
  Time step() const { return step_; }
  /// An interval from `begin` to `end`, in which the rank was in the state for `time`. Intervals arrive in the order of
  /// time.
  using Piece = std::function<void(Time begin, Time end, Time time)>;
  void for_each(std::size_t rank, State state, const Piece& piece) const;

private:
  static constexpr std::size_t states = 2;
  struct Stretch {
    Time begin;
    Time end;
  };
  struct Rank {
    Time last; // end of the rank's last interval
    std::array<std::vector<Stretch>, states> exact;
    std::array<std::vector<Time>, states> steps; // time in each step of the grid, from time 0 on
  };

  void add_to_grid(Rank& rank, State state, Time begin, Time end);
  void begin_grid();
  void coarsen();
  std::size_t most_steps() const;
  std::size_t step_of(Time t) const { return static_cast<std::size_t>(t / step_); }

  std::vector<Rank> ranks_;
  std::size_t most_;
  std::size_t pieces_ = 0;
  Time reached_;
  Time step_;
};

} // namespace hypermon
