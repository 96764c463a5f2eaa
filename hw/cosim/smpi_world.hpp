// SPDX-License-Identifier: BSD-3-Clause
// Access to SMPI's internal MPI_COMM_WORLD.
#pragma once
#include <simgrid/s4u/Actor.hpp>
#include <smpi/smpi.h>

namespace simgrid::smpi {
/// The used part of SMPI's own class. Its header is not installed, but the library has the members (3.32 to 4.1).
class ActorExt {
public:
  static simgrid::xbt::Extension<simgrid::s4u::Actor, ActorExt> EXTENSION_ID;
  MPI_Comm comm_world() const;
};
} // namespace simgrid::smpi

namespace hypermon::simgrid_compat {

/// The communicator of all ranks of the calling actor's program, after PMPI_Init. For a program not started by smpirun,
/// SMPI resolves MPI_COMM_WORLD in the running actor. When a send meets a receive from any source, that actor may
/// belong to no program, and 3.32 crashes.
inline MPI_Comm world_communicator() {
  const simgrid::s4u::Actor* self = simgrid::s4u::Actor::self();
  return self->extension(simgrid::smpi::ActorExt::EXTENSION_ID)->comm_world();
}

} // namespace hypermon::simgrid_compat
