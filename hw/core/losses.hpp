// Nibbles that the capture hardware lost, each by name.
#pragma once
#include "hw/core/time.hpp"

namespace hypermon {

/// Where a nibble was lost (spec sec. 2): its window already had one of the same node; its node FIFO was full;
/// its window found the strobe-vector FIFO full (the spec's "discarded"); its frame found the frame FIFO full.
enum class LossCause : std::uint8_t { aliasing, node_overrun, window_lost, frame_lost };

struct Loss {
  std::uint32_t input;
  std::uint64_t sequence; ///< 0, 1, 2, ...: the n-th strobe of that input
  LossCause cause;
  Time time; ///< of the strobe (aliasing, node_overrun) or of the edge that dropped it
  bool operator==(const Loss&) const = default;
};

} // namespace hypermon
