// What a node writes to its performance port: data with regularly spaced strobes.
#pragma once
#include "hw/core/time.hpp"
#include <span>

namespace hypermon {

/// `data.size()` data of one input, one datum a byte; datum j is strobed at first + j * spacing.
struct Burst {
  std::uint32_t input;
  Time first;
  Time spacing;
  std::span<const std::uint8_t> data;
};

} // namespace hypermon
