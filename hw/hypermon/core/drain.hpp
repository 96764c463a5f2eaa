// SPDX-License-Identifier: BSD-3-Clause
// What the I/O node's program does with a frame that it has read.
#pragma once
#include "hw/hypermon/core/frame.hpp"

namespace hypermon {

class Drain {
public:
  virtual ~Drain() = default;
  struct Outcome {
    bool kept = true;  ///< else it is lost for want of memory
    Time busy;         ///< how long the program is occupied before it can read the next frame
    bool hold = false; ///< it is occupied until somebody resumes the reader
  };
  /// The last word of the frame, of `words` words, had been read at `end`.
  virtual Outcome frame_read(Time end, const EventFrame& frame, std::size_t words) = 0;
  /// When the CPU can begin a frame that it would begin at `edge`: then, or after what interrupts it.
  virtual Time ready(Time edge) = 0;
};

} // namespace hypermon
