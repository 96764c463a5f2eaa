// SPDX-License-Identifier: BSD-3-Clause
// MPI_COMM_WORLD as SMPI has it within.
#pragma once
#include <simgrid/s4u/Actor.hpp>
#include <smpi/smpi.h>

namespace simgrid::smpi {
/// Of SMPI's own class what we call; its header is not installed, the members are in the library (3.32 to 4.1).
class ActorExt {
public:
  static simgrid::xbt::Extension<simgrid::s4u::Actor, ActorExt> EXTENSION_ID;
  MPI_Comm comm_world() const;
};
} // namespace simgrid::smpi

namespace hypermon::simgrid_compat {

/// The communicator of all ranks of the calling actor's program, after PMPI_Init. To a program that smpirun has not
/// started, MPI_COMM_WORLD is a name that SMPI looks up in the actor that runs; when a send meets a receive from any
/// source that is none of them, and 3.32 crashes.
inline MPI_Comm world_communicator() {
  const simgrid::s4u::Actor* self = simgrid::s4u::Actor::self();
  return self->extension(simgrid::smpi::ActorExt::EXTENSION_ID)->comm_world();
}

} // namespace hypermon::simgrid_compat
