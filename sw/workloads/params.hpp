// Parameters of the programs of the paper's Table 1 and of the generator of its section 5.1. The defaults
// give Table 2's raw times on the iPSC/2 of platforms/ (docs/validation.md shows how near).
#pragma once
#include <cstdint>

namespace hypermon {

/// Matrix product (sw/workloads/matmul.cpp).
struct MatmulParams {
  std::int64_t size = 256;
  std::int64_t result_blocks = 6;
  double multiply_add_ns = 14597;
};

/// Conway's Life on a square without wrap-around (sw/workloads/life.cpp).
struct LifeParams {
  std::int64_t size = 128;
  std::int64_t generations = 1012;
  double density = 0.09;
  double peak_density = 0.51;
  double peak_row = 0.37;
  double peak_width = 0.14;
  std::int64_t gliders = 14;
  std::int64_t report_every = 48;
  double cell_ns = 82030;
  double row_ns = 117500;
};

/// Column-wise parallel Simplex (sw/workloads/simplex.cpp).
struct SimplexParams {
  std::int64_t problems = 6;
  std::int64_t constraints = 72;
  std::int64_t variables = 128;
  std::int64_t instance = 25;
  double update_ns = 14285;
  double price_ns = 5000;
  double ratio_ns = 42000;
  double poll_ns = 6500;
  std::int64_t poll_limit = 0;
  double poll_limit_us = 0;
};

/// Standard-cell placement by simulated annealing (sw/workloads/place.cpp).
struct PlaceParams {
  std::int64_t rows = 16;
  std::int64_t columns = 32;
  std::int64_t nets = 600;
  std::int64_t attempts = 151770;
  std::int64_t accepted = 20235;
  std::int64_t temperatures = 148;
  std::int64_t sum_every = 4;
  std::int64_t sequence_accepted = 0;
  std::int64_t reheats = 8;
  double thermostat_gain = 0.1;
  double pin_ns = 25000;
  double update_ns = 50000;
};

/// The synthetic generator of sec. 5.1 (sw/workloads/generator.cpp).
struct GeneratorParams {
  std::int64_t active = 1;
  std::int64_t events = 125000;
};

} // namespace hypermon
