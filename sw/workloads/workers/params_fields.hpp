// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/workers/params.hpp"

namespace hypermon {

constexpr auto fields_of(const WorkersParams*) {
  return fields(
      Field{"tasks", &WorkersParams::tasks, range(1, 1e7), "", "Tasks.", "chosen"},
      Field{"points", &WorkersParams::points, range(0, 1e7), "points",
            "Points of a task on average, exponentially distributed.",
            "assumed: tasks of 29 ms, 500 a second on 15 workers"},
      Field{"point_ns", &WorkersParams::point_ns, range(0, 1e9),
            "CPU time of one point: a division and three operations.", "assumed: four matmul.multiply_add_ns"},
      Field{"deal_ns", &WorkersParams::deal_ns, range(0, 1e9),
            "CPU time in which the master books a result and chooses a task.", "assumed: four matmul.multiply_add_ns"});
}
static_assert(all_members_described<WorkersParams>());

} // namespace hypermon
