// What the I/O node's program does with a frame that it has read.
#pragma once
#include "hw/core/frame.hpp"

namespace hypermon {

class Drain {
public:
  virtual ~Drain() = default;
  struct Outcome {
    bool kept = true;
    bool bus_error = false; ///< not kept because a word could not be read; else for want of memory
    Time busy;              ///< how long the program is occupied before it can read the next frame
    bool hold = false;      ///< it is occupied until somebody resumes the reader
  };
  /// The last word of a frame of `words` words had been read at `end`.
  virtual Outcome frame_read(Time end, std::size_t words) = 0;
};

} // namespace hypermon
