// SPDX-License-Identifier: BSD-3-Clause
// A frame on its way into the frame FIFO, reduced to what a study of depth and bandwidth needs.
#pragma once
#include <cstdint>

namespace hypermon {

struct FramePush {
  std::int64_t edge;  ///< number of the 20 MHz edge at which it is pushed
  std::uint32_t data; ///< words of node FIFOs in it
  bool operator==(const FramePush&) const = default;
};

} // namespace hypermon
