// SPDX-License-Identifier: BSD-3-Clause
// A burst: data that a node writes to its performance port with regularly spaced strobes.
#pragma once
#include "base/time.hpp"
#include <span>

namespace hypermon {

/// Data of one input, in datum_bytes = ceil(port.width_bits / 8) bytes each, the least significant byte first (4-bit
/// data: one per byte, high nibble ignored); datum j is strobed at first + j * spacing.
struct Burst {
  std::uint32_t input;
  Time first;
  Time spacing;
  std::span<const std::uint8_t> data;
  bool flag_first = false; ///< the software flags the first datum for a timestamp (timestamp_policy on_request)
};

constexpr std::size_t bytes_per_datum(std::int64_t width_bits) { return static_cast<std::size_t>(width_bits + 7) / 8; }
constexpr std::uint32_t mask_of_datum(std::int64_t width_bits) { return ~std::uint32_t{0} >> (32 - width_bits); }

} // namespace hypermon
