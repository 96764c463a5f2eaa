// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/phases/params.hpp"

namespace hypermon {

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
