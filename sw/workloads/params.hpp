// Parameters of the programs of the paper's Table 1 and of the generator of its section 5.1. The defaults
// give Table 2's raw times on the iPSC/2 of platforms/ (docs/validation.md shows how near).
#pragma once
#include "hw/core/field.hpp"

namespace hypermon {

/// Matrix product (sw/workloads/matmul.cpp).
struct MatmulParams {
  std::int64_t size = 256;
  std::int64_t result_blocks = 6;
  double multiply_add_ns = 14597;
  static constexpr auto fields() {
    return std::tuple{Field{"size", &MatmulParams::size, range(1, 4096), "", "Rows and columns of the matrices.",
                            "HYPERMON Table 2: 256"},
                      Field{"result_blocks", &MatmulParams::result_blocks, range(1, 4096), "messages",
                            "Messages in which a node returns its rows of C (never more than it has rows).",
                            "derived: 359 B of events per node beyond the ticks = 6 sends of 8 events + 2 clock calls"},
                      Field{"multiply_add_ns", &MatmulParams::multiply_add_ns, range(0, 1e9), "ns",
                            "CPU time of one double-precision multiply-add of the inner loop.",
                            "calibrated on Table 2 raw times of MatMul: 244.90 s / 256^3"}};
  }
};
static_assert(all_members_described<MatmulParams>());

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
  static constexpr auto fields() {
    return std::tuple{
        Field{"size", &LifeParams::size, range(1, 8192), "cells", "Rows and columns.",
              "assumed: 128 B rows make the long messages that Table 2's volumes show"},
        Field{"generations", &LifeParams::generations, range(0, 1e7), "", "Generations computed.",
              "calibrated on Table 2 software bytes of Life: 16 events per generation and neighbour"},
        Field{"density", &LifeParams::density, range(0, 1), "",
              "Part of the tiles of 6 x 6 cells that hold an object, far from the peak.",
              "calibrated on Table 2 raw times of Life: imbalance"},
        Field{"peak_density", &LifeParams::peak_density, range(0, 1), "", "Added density in the middle of the peak.",
              "calibrated on Table 2 raw times of Life: imbalance"},
        Field{"peak_row", &LifeParams::peak_row, range(0, 1), "",
              "Height of the middle of the peak, as a part of all rows.",
              "calibrated on Table 2 raw times of Life: imbalance"},
        Field{"peak_width", &LifeParams::peak_width, range(0, 1), "",
              "Distance, as a part of all rows, at which the peak has fallen to 1/e.",
              "calibrated on Table 2 raw times of Life: imbalance"},
        Field{"gliders", &LifeParams::gliders, range(0, 1e6), "", "Gliders at random places, moving down and right.",
              "calibrated on Table 2 raw times of Life: imbalance; sec. 5.2.2: sparsity changes over time"},
        Field{"report_every", &LifeParams::report_every, range(1, 1e7), "generations",
              "Generations between two readings of the program's own timer.",
              "calibrated on Table 2 software bytes of Life on 1 node: 591 B beyond the ticks"},
        Field{"cell_ns", &LifeParams::cell_ns, range(0, 1e9), "ns",
              "CPU time of one examined cell (a cell with a live one in its 3 x 3 neighbourhood).",
              "calibrated on Table 2 raw time of Life on 1 node"},
        Field{"row_ns", &LifeParams::row_ns, range(0, 1e9), "ns", "CPU time of scanning one row for live cells.",
              "assumed"}};
  }
};
static_assert(all_members_described<LifeParams>());

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
  static constexpr auto fields() {
    return std::tuple{
        Field{
            "problems", &SimplexParams::problems, range(1, 10000), "", "Random linear programs solved in turn.",
            "calibrated on Table 2 software bytes of Simplex on 1 node and hardware bytes of Simplex on 2 nodes: about "
            "715 pivots of 3 clock calls"},
        Field{"constraints", &SimplexParams::constraints, range(1, 4096), "", "Rows of each problem.",
              "assumed: a pivot column of more than 100 B is a long message"},
        Field{"variables", &SimplexParams::variables, range(1, 4096), "", "Columns of each problem before the slacks.",
              "assumed: columns and slacks share evenly over 8 nodes"},
        Field{"instance", &SimplexParams::instance, range(0, 1e9), "",
              "Names the random problems. They do not depend on the seed, which varies the machine.",
              "calibrated on Table 2 software bytes of Simplex on 1 node: the number of pivots"},
        Field{"update_ns", &SimplexParams::update_ns, range(0, 1e9), "ns",
              "CPU time of one multiply-add of the tableau's update.",
              "calibrated on Table 2 raw time of Simplex on 1 node"},
        Field{"price_ns", &SimplexParams::price_ns, range(0, 1e9), "ns", "CPU time of pricing one column.", "assumed"},
        Field{"ratio_ns", &SimplexParams::ratio_ns, range(0, 1e9), "ns",
              "CPU time of one row of the ratio test, which only the pivot column's owner does.",
              "calibrated on Table 2 raw times of Simplex on 2 to 8 nodes"},
        Field{"poll_ns", &SimplexParams::poll_ns, range(0, 1e9), "ns",
              "Pause that each vain probe for the pivot column adds before the next.",
              "calibrated on Table 2 software bytes of Simplex on 2 to 8 nodes"},
        Field{"poll_limit", &SimplexParams::poll_limit, range(0, 1e9), "probes",
              "Vain probes for the pivot column after which a node blocks in its receive; 0: it polls for ever.",
              "assumed; see docs/studies/mechanisms.md"},
        Field{"poll_limit_us", &SimplexParams::poll_limit_us, range(0, 1e9), "us",
              "Time after which a node that polls for the pivot column blocks in its receive; it reads its clock, a "
              "system call, after each vain probe. 0: it polls for ever, and reads none.",
              "assumed; see docs/studies/mechanisms.md"}};
  }
};
static_assert(all_members_described<SimplexParams>());

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
  static constexpr auto fields() {
    return std::tuple{
        Field{"rows", &PlaceParams::rows, range(1, 4096), "", "Rows of slots; every slot holds a cell.", "assumed"},
        Field{"columns", &PlaceParams::columns, range(1, 4096), "", "Slots in a row.", "assumed"},
        Field{"nets", &PlaceParams::nets, range(1, 1e6), "", "Nets, each of 2 to 6 pins.", "assumed"},
        Field{"attempts", &PlaceParams::attempts, range(1, 1e9), "moves",
              "Exchanges tried by all nodes together: the effort, an input per machine size.",
              "input: Table 2 raw times of Place, which follow no law"},
        Field{"accepted", &PlaceParams::accepted, range(0, 1e9), "moves",
              "Exchanges that the cooling schedule is steered to accept, of all nodes together.",
              "calibrated on Table 2 software bytes of Place on 2 to 8 nodes"},
        Field{"temperatures", &PlaceParams::temperatures, range(1, 1e6), "",
              "Equal parts of the schedule, each timed by the program with two clock calls.",
              "calibrated on Table 2 software bytes of Place on 1 node"},
        Field{"sum_every", &PlaceParams::sum_every, range(1, 1e6), "temperatures",
              "Temperatures between two global sums of cost and acceptances.", "assumed"},
        Field{
            "sequence_accepted", &PlaceParams::sequence_accepted, range(0, 1e9), "moves",
            "Accepted exchanges of all nodes together that the length of a sequence aims at: a node tries its share on "
            "what it knows, then all synchronise and send each other what they accepted. 0: each accepted exchange is "
            "sent at once.",
            "assumed; see docs/studies/mechanisms.md"},
        Field{"reheats", &PlaceParams::reheats, range(1, 1e6), "", "Coolings from a high to a low acceptance rate.",
              "assumed: HYPERMON sec. 5.2.2 (bursty)"},
        Field{"thermostat_gain", &PlaceParams::thermostat_gain, range(0, 1), "",
              "Change of log(temperature) per acceptance too few or too many.", "assumed"},
        Field{"pin_ns", &PlaceParams::pin_ns, range(0, 1e9), "ns",
              "CPU time of one pin looked at when the change of wire length is computed.", "assumed"},
        Field{"update_ns", &PlaceParams::update_ns, range(0, 1e9), "ns",
              "CPU time of making another node's exchange in the own copy of the placement.", "assumed"}};
  }
};
static_assert(all_members_described<PlaceParams>());

/// The synthetic generator of sec. 5.1 (sw/workloads/generator.cpp).
struct GeneratorParams {
  std::int64_t active = 1;
  std::int64_t events = 125000;
  static constexpr auto fields() {
    return std::tuple{Field{"active", &GeneratorParams::active, range(1, 4096), "nodes",
                            "Nodes that write, from node 0.", "HYPERMON sec. 5.1"},
                      Field{"events", &GeneratorParams::events, range(1, 1e9), "events",
                            "4-byte events (8 nibbles) that each of them emits.",
                            "HYPERMON sec. 5.1: 1 million; 125 000 (1 million nibbles) are enough for a rate"}};
  }
};
static_assert(all_members_described<GeneratorParams>());

} // namespace hypermon
