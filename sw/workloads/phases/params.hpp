// SPDX-License-Identifier: BSD-3-Clause
// The defaults have the size of the example in the paper of TAU over Supermon (sec. 5): 32 processes, about 350 s per
// step.
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
            "Columns of the grid, which are dealt to the ranks. Each cell has four particles at first.", scaled},
      Field{"rows", &P::rows, range(1, 1e6), "cells", "Rows of the grid.", scaled},
      Field{"iterations", &P::iterations, range(0, 1e6), "", "Number of time steps.", "chosen"},
      Field{"drift", &P::drift, range(-1, 1), "of the speed of sound",
            "Velocity of the body. A moving body's particles change cells, and thereby the ranks that own the cells.",
            "chosen"},
      Field{"wave", &P::wave, range(-0.2, 0.2), "of the speed of sound",
            "Largest velocity of the standing wave along the body.", "chosen"},
      Field{"courant", &P::courant, range(0.001, 0.9), "",
            "Courant number: share of a cell that the faster of sound and matter crosses in one time step.", "chosen"},
      Field{"represents", &P::represents, range(1, 1e7), "particles",
            "Number of real particles that one simulated particle represents. It multiplies the bytes in messages and "
            "checkpoints, and the CPU time.",
            scaled},
      Field{"pack_ns", &P::pack_ns, range(0, 1e9),
            "CPU time of one number of a sent particle, at the sender and at the receiver.", scaled},
      Field{"grid_ns", &P::grid_ns, range(0, 1e9),
            "CPU time of transferring one particle's numbers to or from the grid, in each of tasks 2 to 8.", scaled},
      Field{"material_ns", &P::material_ns, range(0, 1e9), "CPU time of one particle's stress, in task 10.", scaled},
      Field{"access", &P::access,
            "Calls that write checkpoints. none: nothing is written. independent: MPI_File_write_at of each rank. "
            "collective: MPI_File_write_at_all.",
            "chosen"},
      Field{"checkpoint_every", &P::checkpoint_every, range(0, 1e6), "",
            "Time steps between two checkpoints, written to two files in turn. 0: no checkpoints.",
            "TAU over Supermon sec. 5: each step's"},
      Field{"message_bytes", &P::message_bytes, range(1, 1e9),
            "Largest message. More data are sent in several messages.",
            "chosen: eth0's bytes count when a message begins, so it has to be short beside a sample"},
      Field{"write_bytes", &P::write_bytes, range(1, 1e9),
            "Largest write of a checkpoint. More data are written in several writes.", "chosen"});
}
static_assert(all_members_described<PhasesParams>());

} // namespace hypermon
