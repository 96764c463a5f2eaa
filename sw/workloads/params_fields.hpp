// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "hw/core/field.hpp"
#include "sw/workloads/params.hpp"

namespace hypermon {

inline auto fields_of(const MatmulParams*) {
  return std::tuple{Field{"size", &MatmulParams::size, range(1, 4096), "", "Rows and columns of the matrices.",
                          "HYPERMON Table 2: 256"},
                    Field{"result_blocks", &MatmulParams::result_blocks, range(1, 4096), "messages",
                          "Messages in which a node returns its rows of C (never more than it has rows).",
                          "derived: 359 B of events per node beyond the ticks = 6 sends of 8 events + 2 clock calls"},
                    Field{"multiply_add_ns", &MatmulParams::multiply_add_ns, range(0, 1e9), "ns",
                          "CPU time of one double-precision multiply-add of the inner loop.",
                          "calibrated on Table 2 raw times of MatMul: 244.90 s / 256^3"}};
}
static_assert(all_members_described<MatmulParams>());

inline auto fields_of(const LifeParams*) {
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
static_assert(all_members_described<LifeParams>());

inline auto fields_of(const SimplexParams*) {
  return std::tuple{
      Field{"problems", &SimplexParams::problems, range(1, 10000), "", "Random linear programs solved in turn.",
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
static_assert(all_members_described<SimplexParams>());

inline auto fields_of(const PlaceParams*) {
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
      Field{"sequence_accepted", &PlaceParams::sequence_accepted, range(0, 1e9), "moves",
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
static_assert(all_members_described<PlaceParams>());

inline auto fields_of(const GeneratorParams*) {
  return std::tuple{Field{"active", &GeneratorParams::active, range(1, 4096), "nodes", "Nodes that write, from node 0.",
                          "HYPERMON sec. 5.1"},
                    Field{"events", &GeneratorParams::events, range(1, 1e9), "events",
                          "4-byte events (8 nibbles) that each of them emits.",
                          "HYPERMON sec. 5.1: 1 million; 125 000 (1 million nibbles) are enough for a rate"}};
}
static_assert(all_members_described<GeneratorParams>());

} // namespace hypermon
