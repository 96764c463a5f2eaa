// SPDX-License-Identifier: BSD-3-Clause
// What SMPI would say of arguments, without anything being done. A call whose arguments are not good goes to SMPI's
// function, which refuses it.
#pragma once
#include "sw/mpi/communicator.hpp"

namespace hypermon {

bool is_good(const void* data, int count, MPI_Datatype type, MPI_Comm comm);
/// Of as many counts as the communicator has members.
bool are_good(const void* data, const int* counts, MPI_Datatype type, MPI_Comm comm, int size);
bool are_good(const void* data, const int* counts, const MPI_Datatype* types, MPI_Comm comm, int size);
bool is_combinable(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
bool is_reducible(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
/// Is there room for it among what MPI_Buffer_attach has given?
bool is_bufferable(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);

inline bool is_tag(int tag) { return tag >= 0 || tag == MPI_ANY_TAG; }

/// What may be sent to a member, or received from one; anything else is SMPI's to refuse or to ignore.
inline bool sendable(const Communicator* known, const void* data, int count, MPI_Datatype type, int to, int tag,
                     MPI_Comm comm) {
  return known != nullptr && known->has(to) && is_tag(tag) && is_good(data, count, type, comm);
}

inline bool receivable(const Communicator* known, const void* data, int count, MPI_Datatype type, int from, int tag,
                       MPI_Comm comm) {
  return known != nullptr && (known->has(from) || from == MPI_ANY_SOURCE) && is_tag(tag) &&
         is_good(data, count, type, comm);
}

/// Both halves of an exchange are good, before one of them is begun.
bool exchangeable(const Communicator* known, const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                  const void* in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm);

inline int source_in_world(const Communicator& comm, int from) {
  return from == MPI_ANY_SOURCE ? from : comm.world(from);
}

} // namespace hypermon
