// What a program's object defines and needs. One with a profiling tool of its own: the tool's MPI_Send calls PMPI_Send.
#pragma once
#include <string>
#include <vector>

namespace hypermon {

/// If the object in `file` (writable) defines MPI functions itself, makes the loader take the object's own definitions
/// before those of this executable. Leaves anything else as it is, what is no shared object included.
void bind_own_definitions_first(int file);

/// The functions that the object needs of others. None, if it is no shared object.
std::vector<std::string> undefined_functions(const std::string& path);

} // namespace hypermon
