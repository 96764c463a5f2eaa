// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/alltoall/params.hpp"

namespace hypermon {

constexpr auto fields_of(const AlltoallParams*) {
  return fields(
      Field{"numbers", &AlltoallParams::numbers, range(1, 1 << 20), "numbers",
            "Numbers of 8 B that a rank has for each other.", "chosen: 128 B, long messages"},
      Field{"repeats", &AlltoallParams::repeats, range(0, 1e7), "", "Exchanges of all with all.", "chosen"},
      Field{"number_ns", &AlltoallParams::number_ns, range(0, 1e9), "CPU time of one number that came.",
            "assumed: half a matmul.multiply_add_ns"},
      Field{"largest_computed", &AlltoallParams::largest_computed, range(0, 1 << 20), "numbers",
            "Larger blocks are not computed: the same messages are sent and the same work is charged, but there are no "
            "numbers in them, and no answer.",
            "chosen"});
}
static_assert(all_members_described<AlltoallParams>());

} // namespace hypermon
