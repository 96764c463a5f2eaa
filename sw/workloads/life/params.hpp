// SPDX-License-Identifier: BSD-3-Clause
// With the defaults the simulated iPSC/2 reproduces Table 2's raw times (docs/validation.md has the differences).
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Conway's Life on a square without wrap-around (life.cpp).
struct LifeParams {
  std::int64_t size = 128;
  std::int64_t generations = 1012;
  double density = 0.09;
  double peak_density = 0.51;
  double peak_row = 0.37;
  double peak_width = 0.14;
  std::int64_t gliders = 14;
  std::int64_t report_every = 48;
  Nanoseconds cell_ns = 82030;
  Nanoseconds row_ns = 117500;
};

constexpr auto fields_of(const LifeParams*) {
  return fields(
      Field{"size", &LifeParams::size, range(1, 8192), "cells", "Rows and columns of the square of cells.",
            "assumed: 128 B rows make the long messages that Table 2's volumes show"},
      Field{"generations", &LifeParams::generations, range(0, 1e7), "", "Number of generations that are computed.",
            "calibrated on Table 2 software bytes of Life: 16 events per generation and neighbour"},
      Field{"density", &LifeParams::density, range(0, 1), "",
            "Share of the tiles of 6 x 6 cells that hold an object, far from the peak.",
            "calibrated on Table 2 raw times of Life: uneven work of the nodes"},
      Field{"peak_density", &LifeParams::peak_density, range(0, 1), "", "Additional density at the centre of the peak.",
            "calibrated on Table 2 raw times of Life: uneven work of the nodes"},
      Field{"peak_row", &LifeParams::peak_row, range(0, 1), "",
            "Row of the centre of the peak, as a share of all rows.",
            "calibrated on Table 2 raw times of Life: uneven work of the nodes"},
      Field{"peak_width", &LifeParams::peak_width, range(0, 1), "",
            "Distance from the centre, as a share of all rows, at which the peak has fallen to 1/e.",
            "calibrated on Table 2 raw times of Life: uneven work of the nodes"},
      Field{
          "gliders", &LifeParams::gliders, range(0, 1e6), "",
          "Number of gliders at random positions, which move down and right.",
          "calibrated on Table 2 raw times of Life: uneven work of the nodes; sec. 5.2.2: sparsity changes over time"},
      Field{"report_every", &LifeParams::report_every, range(1, 1e7), "generations",
            "Generations between two reads of the program's own timer.",
            "calibrated on Table 2 software bytes of Life on 1 node: 591 B beyond the ticks"},
      Field{"cell_ns", &LifeParams::cell_ns, range(0, 1e9),
            "CPU time of examining one cell. Only cells with a live cell in their 3 x 3 neighbourhood are examined.",
            "calibrated on Table 2 raw time of Life on 1 node"},
      Field{"row_ns", &LifeParams::row_ns, range(0, 1e9), "CPU time of scanning one row for live cells.", "assumed"});
}
static_assert(all_members_described<LifeParams>());

} // namespace hypermon
