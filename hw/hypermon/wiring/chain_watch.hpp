// SPDX-License-Identifier: BSD-3-Clause
// Observer of a chain's SystemC modules, for waves of a run. A chain without one has no cost from it.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/core/reader.hpp"
#include "hw/hypermon/tlm/bus_watch.hpp"
#include "hw/hypermon/tlm/own_board.hpp"

namespace hypermon {

class LockstepModel;

/// Given to a chain when it is made, and valid as long as the chain. Losses and faults come from the chain's observers.
class ChainWatch {
public:
  virtual ~ChainWatch() = default;
  virtual BusWatch& bus(std::size_t board) = 0;

  // The following functions are called only if the boards are the user's.

  /// The shared object to load instead of the run's, with the same boards that can also show their signals, in the form
  /// of a file's parameter; empty: the run's.
  virtual const std::string& board_object() const = 0;
  /// Receives the signals that the board names.
  virtual TracedSignals& signals(std::size_t board) = 0;
  /// The schedule of the drain program, whose state may be read at any time.
  virtual void reader(std::size_t board, const Reader& reader) = 0;
  virtual void strobe(std::size_t board, std::uint32_t input, Time at, std::uint32_t datum) = 0;
  virtual void frames_waiting(std::size_t board, std::uint64_t frames) = 0;

  // The following functions are called only with ecb.lockstep.

  /// The model beside the board.
  virtual void lockstep(std::size_t board, LockstepModel& model) = 0;
  /// The board's drain program has read and kept a frame.
  virtual void frame_read(std::size_t board, const EventFrame& frame, Time end) = 0;
  /// The comparison finds a difference now. `window`: begin of the window of the frame or the word.
  virtual void differs(std::size_t board, Time window) = 0;
};

} // namespace hypermon
