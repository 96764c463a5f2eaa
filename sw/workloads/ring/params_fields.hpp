// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/ring/params.hpp"

namespace hypermon {

constexpr auto fields_of(const RingParams*) {
  return fields(Field{"numbers", &RingParams::numbers, range(1, 1 << 20), "numbers", "Numbers of 8 B in a block.",
                      "chosen: 256 B, long messages"},
                Field{"steps", &RingParams::steps, range(0, 1e7), "", "Steps; as many as ranks are once round.",
                      "chosen: six times round 16 nodes"},
                Field{"number_ns", &RingParams::number_ns, range(0, 1e9), "CPU time of adding one number of the block.",
                      "assumed: one matmul.multiply_add_ns"});
}
static_assert(all_members_described<RingParams>());

} // namespace hypermon
