// SPDX-License-Identifier: BSD-3-Clause
// When each rank computed, and when a monitor kept it from that, in bounded memory.
//
// Exact as long as that is so many pieces of time at most; beyond, how much of each step of a grid it was, exactly,
// but no longer when within the step. The step doubles whenever the run outgrows the grid.
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
  /// What is told apart of a rank; all else is neither.
  enum class State : std::uint8_t { computing, monitor };

  /// `most`: so many pieces of time (16 bytes each) of all ranks; at least 4 a rank.
  ActivityLog(std::size_t ranks, std::size_t most);

  /// The rank was in the state from `begin` to `end`. Pieces of a rank come in the order of time; what overlaps with an
  /// earlier one (SimGrid's dates of computations among SMPI's messages are good to a nanosecond) is left out.
  void add(std::size_t rank, State state, Time begin, Time end);

  /// Of the grid; 0: all is exact.
  Time step() const { return step_; }
  /// Of the rank in the state: from `begin` to `end`, `time` of it. In the order of time.
  using Piece = std::function<void(Time begin, Time end, Time time)>;
  void for_each(std::size_t rank, State state, const Piece& piece) const;

private:
  static constexpr std::size_t states = 2;
  struct Stretch {
    Time begin;
    Time end;
  };
  struct Rank {
    Time last; // end of what it has
    std::array<std::vector<Stretch>, states> exact;
    std::array<std::vector<Time>, states> steps; // of the grid, from time 0 on
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
