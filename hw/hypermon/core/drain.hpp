// SPDX-License-Identifier: BSD-3-Clause
// Processing of a frame by the I/O node's program after the frame has been read.
#pragma once
#include "hw/hypermon/core/frame.hpp"

namespace hypermon {

class Drain {
public:
  virtual ~Drain() = default;
  struct Outcome {
    bool kept = true;  ///< false: the frame is lost because memory is full
    Time busy;         ///< time for which the program is occupied before it can read the next frame
    bool hold = false; ///< the program is occupied until the reader is resumed
  };
  /// Called when the last of the frame's `words` words has been read, at `end`.
  virtual Outcome frame_read(Time end, const EventFrame& frame, std::size_t words) = 0;
  /// Time at which the CPU can begin a frame that is due at `edge`: `edge` itself, or the end of what interrupts the
  /// CPU.
  virtual Time ready(Time edge) = 0;
};

} // namespace hypermon
