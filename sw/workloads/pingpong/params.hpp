// SPDX-License-Identifier: BSD-3-Clause
// Its size is for a 16-node iPSC/2.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// A message to and fro in growing sizes (pingpong.cpp).
struct PingpongParams {
  std::int64_t partner = 0;
  Bytes least_bytes = 4;
  Bytes most_bytes = 16384;
  std::int64_t repeats = 50;
};

} // namespace hypermon
