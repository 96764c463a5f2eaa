// SPDX-License-Identifier: BSD-3-Clause
// The defaults are sized as the example of TAU over Supermon's paper (sec. 5): 32 processes, about 350 s a step.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "sw/workloads/common/file_access.hpp"

#include <cstdint>

namespace hypermon {

/// Material points of an elastic body on a grid, as a program in tasks (phases.cpp).
struct PhasesParams {
  std::int64_t columns = 64;
  std::int64_t rows = 16;
  std::int64_t iterations = 1;
  double drift = 0.05;
  double wave = 0.01;
  double courant = 0.3;
  std::int64_t represents = 46000;
  Nanoseconds pack_ns = 100;
  Nanoseconds grid_ns = 500;
  Nanoseconds material_ns = 20000;
  FileAccess access = FileAccess::independent;
  std::int64_t checkpoint_every = 1;
  Bytes message_bytes = 1048576;
  Bytes write_bytes = 1048576;
};

constexpr auto fields_of(const PhasesParams*) {
  using P = PhasesParams;
  constexpr const char* scaled = "chosen: a step of about 350 s on 32 processors (TAU over Supermon sec. 5)";
  return fields(
      Field{"columns", &P::columns, range(1, 1e6), "cells",
            "Of the grid, which the ranks share column by column; each cell has four particles at first.", scaled},
      Field{"rows", &P::rows, range(1, 1e6), "cells", "Of the grid.", scaled},
      Field{"iterations", &P::iterations, range(0, 1e6), "", "Steps in time.", "chosen"},
      Field{"drift", &P::drift, range(-1, 1), "of the speed of sound",
            "The body's velocity: particles change their cells, and the cells' ranks.", "chosen"},
      Field{"wave", &P::wave, range(-0.2, 0.2), "of the speed of sound",
            "Largest velocity of the wave along the body that swings in it.", "chosen"},
      Field{"courant", &P::courant, range(0.001, 0.9), "",
            "Of a step: by how much of a cell the fastest of sound and matter go.", "chosen"},
      Field{"represents", &P::represents, range(1, 1e7), "particles",
            "That each particle stands for: so many times its bytes are in messages and checkpoints, and its work is "
            "charged.",
            scaled},
      Field{"pack_ns", &P::pack_ns, range(0, 1e9),
            "CPU time of a number of a particle that is sent, at the sender and at the receiver.", scaled},
      Field{"grid_ns", &P::grid_ns, range(0, 1e9),
            "CPU time of a particle between its numbers and the grid's, in each of tasks 2 to 8.", scaled},
      Field{"material_ns", &P::material_ns, range(0, 1e9), "CPU time of a particle's stress, in task 10.", scaled},
      Field{"access", &P::access,
            "Of checkpoints: by MPI_File_write_at of each rank, by MPI_File_write_at_all, or none at all.", "chosen"},
      Field{"checkpoint_every", &P::checkpoint_every, range(0, 1e6), "",
            "Steps between two checkpoints, into two files in turn; 0: none.", "TAU over Supermon sec. 5: each step's"},
      Field{"message_bytes", &P::message_bytes, range(1, 1e9), "Most of a message: what is longer goes in several.",
            "chosen: eth0's bytes count when a message begins, so it has to be short beside a sample"},
      Field{"write_bytes", &P::write_bytes, range(1, 1e9), "Most of a write of a checkpoint, alike.", "chosen"});
}
static_assert(all_members_described<PhasesParams>());

} // namespace hypermon
