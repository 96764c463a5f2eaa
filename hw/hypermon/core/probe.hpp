// SPDX-License-Identifier: BSD-3-Clause
// Observer of a board, strobe by strobe and edge by edge, for waveforms. A board without a probe has no cost from it.
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/core/reader.hpp"
#include <cstdint>

namespace hypermon {

/// Contents of a board after all strobes and edges up to a time. Levels count entries.
struct BoardState {
  std::array<std::uint32_t, max_inputs> node_fifo{};
  std::uint32_t held = 0;   ///< bit i: the write on input i waits for room
  std::uint32_t vector = 0; ///< inputs strobed in the window that is being sampled
  std::uint32_t vector_fifo = 0;
  std::uint32_t frame_fifo = 0; ///< number of frames, including the one that is being read
  struct Builder {
    enum class Doing : std::uint8_t { idle, building, waiting /* for room in the frame FIFO */ };
    Doing doing = Doing::idle;
    std::uint32_t vector = 0; ///< vector of the builder's entry; 0 and not stamped if it has none
    std::uint64_t timestamp = 0;
  } builder;
  Reader::Doing reader = Reader::Doing::idle;
  Time reader_until;                ///< end of busy, stalled and stopped; time at which the frame that is read leaves
  std::uint32_t left_of_group = 0;  ///< frames of the reader's group that are not yet read
  const EventFrame* read = nullptr; ///< the frame that is being read; valid as long as the board does not advance
  Time origin;                      ///< time of the last reset, from which windows and timestamps count
  std::uint64_t frames_built = 0;   ///< count since the last reset, as are the others
  std::uint64_t frames_lost = 0;
  std::uint64_t windows_lost = 0;
  std::uint64_t node_overruns = 0;
};

/// Receives what happens from the time of attach() on, in the order of the times. Losses go to CaptureBoard::on_loss(),
/// before the change that they are part of.
class BoardProbe {
public:
  virtual ~BoardProbe() = default;
  /// A datum's strobe, even if the datum is lost. A held strobe is reported when it happens.
  virtual void strobe(std::uint32_t input, Time time, std::uint32_t datum) = 0;
  /// A strobe or an edge was simulated, possibly one of several at the same time; or the board was reset at this edge.
  virtual void changed(Time time, const BoardState& state) = 0;
};

} // namespace hypermon
