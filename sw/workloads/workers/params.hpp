// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2. The costs are based on the multiply-add of MatMul's inner loop (14.6 us with its
// index arithmetic, calibrated on Table 2), the only cost that can be derived from the paper.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// A master distributes tasks (workers.cpp).
struct WorkersParams {
  std::int64_t tasks = 1500;
  std::int64_t points = 500;
  Nanoseconds point_ns = 58400;
  Nanoseconds deal_ns = 58400;
};

constexpr auto fields_of(const WorkersParams*) {
  return fields(Field{"tasks", &WorkersParams::tasks, range(1, 1e7), "",
                      "Number of tasks that the master deals to the workers.", "chosen"},
                Field{"points", &WorkersParams::points, range(0, 1e7), "points",
                      "Mean number of points of a task, which are exponentially distributed.",
                      "assumed: tasks of 29 ms, 500 a second on 15 workers"},
                Field{"point_ns", &WorkersParams::point_ns, range(0, 1e9),
                      "CPU time of one point: a division and three operations.",
                      "assumed: four matmul.multiply_add_ns"},
                Field{"deal_ns", &WorkersParams::deal_ns, range(0, 1e9),
                      "CPU time of the master for recording a result and choosing the next task.",
                      "assumed: four matmul.multiply_add_ns"});
}
static_assert(all_members_described<WorkersParams>());

} // namespace hypermon
