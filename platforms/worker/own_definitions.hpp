// A program with a profiling tool of its own: the tool's MPI_Send calls PMPI_Send.
#pragma once

namespace hypermon {

/// If the object in `file` (writable) defines MPI functions itself, makes the loader take the object's own definitions
/// before those of this executable. Leaves anything else as it is, what is no shared object included.
void bind_own_definitions_first(int file);

} // namespace hypermon
