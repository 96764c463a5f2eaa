// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// A message back and forth in growing sizes (pingpong.cpp).
struct PingpongParams {
  std::int64_t partner = 0;
  Bytes least_bytes = 4;
  Bytes most_bytes = 16384;
  std::int64_t repeats = 50;
};

constexpr auto fields_of(const PingpongParams*) {
  return fields(Field{"partner", &PingpongParams::partner, range(0, 4095), "",
                      "Rank that answers rank 0. 0: the last rank.", "chosen: the last rank is a hypercube's farthest"},
                Field{"least_bytes", &PingpongParams::least_bytes, range(1, 1 << 24),
                      "Size of the smallest message. Each further size is twice the one before.", "chosen"},
                Field{"most_bytes", &PingpongParams::most_bytes, range(1, 1 << 24),
                      "Size of the largest message that goes back and forth.", "chosen: short and long messages"},
                Field{"repeats", &PingpongParams::repeats, range(1, 1e7), "",
                      "Number of round trips for each message size.", "chosen"});
}
static_assert(all_members_described<PingpongParams>());

} // namespace hypermon
