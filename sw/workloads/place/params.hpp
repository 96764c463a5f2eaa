// SPDX-License-Identifier: BSD-3-Clause
// With the defaults the simulated iPSC/2 reproduces Table 2's raw times (docs/validation.md has the differences).
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Standard-cell placement by simulated annealing (place.cpp).
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
  Nanoseconds pin_ns = 25000;
  Nanoseconds update_ns = 50000;
};

constexpr auto fields_of(const PlaceParams*) {
  return fields(
      Field{"rows", &PlaceParams::rows, range(1, 4096), "", "Rows of slots in the placement. Every slot holds a cell.",
            "assumed"},
      Field{"columns", &PlaceParams::columns, range(1, 4096), "", "Slots in each row of the placement.", "assumed"},
      Field{"nets", &PlaceParams::nets, range(1, 1e6), "", "Number of nets, each with 2 to 6 pins.", "assumed"},
      Field{"attempts", &PlaceParams::attempts, range(1, 1e9), "moves",
            "Number of exchanges of cells that all nodes together try. It sets the run's length and differs for each "
            "machine size.",
            "input: Table 2 raw times of Place, which follow no law"},
      Field{"accepted", &PlaceParams::accepted, range(0, 1e9), "moves",
            "Number of exchanges, over all nodes, that the cooling schedule aims to accept.",
            "calibrated on Table 2 software bytes of Place on 2 to 8 nodes"},
      Field{"temperatures", &PlaceParams::temperatures, range(1, 1e6), "",
            "Number of equal parts of the cooling schedule. The program times each part with two clock calls.",
            "calibrated on Table 2 software bytes of Place on 1 node"},
      Field{"sum_every", &PlaceParams::sum_every, range(1, 1e6), "temperatures",
            "Temperatures between two global sums of cost and accepted exchanges.", "assumed"},
      Field{"sequence_accepted", &PlaceParams::sequence_accepted, range(0, 1e9), "moves",
            "Target number of accepted exchanges on all nodes in one sequence of attempts. Nodes send their accepted "
            "exchanges only after each sequence. 0: each accepted exchange is sent at once.",
            "assumed; see docs/studies/mechanisms.md"},
      Field{"reheats", &PlaceParams::reheats, range(1, 1e6), "",
            "Number of coolings from a high to a low acceptance rate. More coolings give more bursts of events.",
            "assumed: HYPERMON sec. 5.2.2 (bursty)"},
      Field{"thermostat_gain", &PlaceParams::thermostat_gain, range(0, 1), "",
            "Change of log(temperature) for each accepted exchange above or below the target.", "assumed"},
      Field{"pin_ns", &PlaceParams::pin_ns, range(0, 1e9),
            "CPU time of one pin in the computation of the change in wire length.", "assumed"},
      Field{"update_ns", &PlaceParams::update_ns, range(0, 1e9),
            "CPU time of applying another node's exchange to the node's own copy of the placement.", "assumed"});
}
static_assert(all_members_described<PlaceParams>());

} // namespace hypermon
