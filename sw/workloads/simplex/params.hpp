// SPDX-License-Identifier: BSD-3-Clause
// With the defaults the simulated iPSC/2 reproduces Table 2's raw times (docs/validation.md has the differences).
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Column-wise parallel Simplex (simplex.cpp).
struct SimplexParams {
  std::int64_t problems = 6;
  std::int64_t constraints = 72;
  std::int64_t variables = 128;
  std::int64_t instance = 25;
  Nanoseconds update_ns = 14285;
  Nanoseconds price_ns = 5000;
  Nanoseconds ratio_ns = 42000;
  Nanoseconds poll_ns = 6500;
  std::int64_t poll_limit = 0;
  Microseconds poll_limit_us = 0;
};

constexpr auto fields_of(const SimplexParams*) {
  return fields(
      Field{"problems", &SimplexParams::problems, range(1, 10000), "",
            "Number of random linear programs that are solved one after the other.",
            "calibrated on Table 2 software bytes of Simplex on 1 node and hardware bytes of Simplex on 2 nodes: about "
            "715 pivots, each with 3 calls of the clock"},
      Field{"constraints", &SimplexParams::constraints, range(1, 4096), "", "Rows of each linear program.",
            "assumed: a pivot column of more than 100 B is a long message"},
      Field{"variables", &SimplexParams::variables, range(1, 4096), "",
            "Columns of each linear program, apart from slack variables.",
            "assumed: columns and slacks share evenly over 8 nodes"},
      Field{"instance", &SimplexParams::instance, range(0, 1e9), "",
            "Number that selects the random linear programs. They do not depend on the seed, which varies the machine.",
            "calibrated on Table 2 software bytes of Simplex on 1 node: the number of pivots"},
      Field{"update_ns", &SimplexParams::update_ns, range(0, 1e9),
            "CPU time of one multiply-add when the tableau is updated.",
            "calibrated on Table 2 raw time of Simplex on 1 node"},
      Field{"price_ns", &SimplexParams::price_ns, range(0, 1e9), "CPU time of pricing one column.", "assumed"},
      Field{"ratio_ns", &SimplexParams::ratio_ns, range(0, 1e9),
            "CPU time of one row of the ratio test. Only the owner of the pivot column makes this test.",
            "calibrated on Table 2 raw times of Simplex on 2 to 8 nodes"},
      Field{"poll_ns", &SimplexParams::poll_ns, range(0, 1e9),
            "Pause after each unsuccessful probe for the pivot column.",
            "calibrated on Table 2 software bytes of Simplex on 2 to 8 nodes"},
      Field{"poll_limit", &SimplexParams::poll_limit, range(0, 1e9), "probes",
            "Unsuccessful probes for the pivot column after which a node blocks in its receive. 0: it polls without "
            "limit.",
            "assumed; see docs/studies/mechanisms.md"},
      Field{"poll_limit_us", &SimplexParams::poll_limit_us, range(0, 1e9),
            "Time after which a node that polls for the pivot column blocks in its receive. It reads its clock, a "
            "system call, after each unsuccessful probe. 0: it polls without limit and reads no clock.",
            "assumed; see docs/studies/mechanisms.md"});
}
static_assert(all_members_described<SimplexParams>());

} // namespace hypermon
