// SPDX-License-Identifier: BSD-3-Clause
// With the defaults the simulated iPSC/2 reproduces Table 2's raw times (docs/validation.md has the differences).
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Matrix product (matmul.cpp).
struct MatmulParams {
  std::int64_t size = 256;
  std::int64_t result_blocks = 6;
  Nanoseconds multiply_add_ns = 14597;
};

constexpr auto fields_of(const MatmulParams*) {
  return fields(Field{"size", &MatmulParams::size, range(1, 4096), "", "Rows and columns of the matrices.",
                      "HYPERMON Table 2: 256"},
                Field{"result_blocks", &MatmulParams::result_blocks, range(1, 4096), "messages",
                      "Number of messages in which a node returns its rows of the product, at most one per row.",
                      "derived: 359 B of events per node beyond the ticks = 6 sends of 8 events + 2 clock calls"},
                Field{"multiply_add_ns", &MatmulParams::multiply_add_ns, range(0, 1e9),
                      "CPU time of one double-precision multiply-add of the inner loop.",
                      "calibrated on Table 2 raw times of MatMul: 244.90 s / 256^3"});
}
static_assert(all_members_described<MatmulParams>());

} // namespace hypermon
