// SPDX-License-Identifier: BSD-3-Clause
// Predicts whether SMPI would accept a call's arguments, without side effects. A call with bad arguments goes to SMPI's
// function, which refuses it.
#pragma once
#include "sw/mpi/communicator.hpp"

namespace hypermon {

bool is_good(const void* data, int count, MPI_Datatype type, MPI_Comm comm);
/// `counts` has one count for each member of the communicator.
bool are_good(const void* data, const int* counts, MPI_Datatype type, MPI_Comm comm, int size);
bool are_good(const void* data, const int* counts, const MPI_Datatype* types, MPI_Comm comm, int size);
bool is_combinable(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
bool is_reducible(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
/// True if the message fits into the free part of the buffer that MPI_Buffer_attach provided.
bool is_bufferable(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);

inline bool is_tag(int tag) { return tag >= 0 || tag == MPI_ANY_TAG; }

/// True for a message that may be sent to a member, or received from one. SMPI refuses or ignores all others.
inline bool sendable(const Communicator* known, const void* data, int count, MPI_Datatype type, int to, int tag,
                     MPI_Comm comm) {
  return known != nullptr && known->has(to) && is_tag(tag) && is_good(data, count, type, comm);
}

inline bool receivable(const Communicator* known, const void* data, int count, MPI_Datatype type, int from, int tag,
                       MPI_Comm comm) {
  return known != nullptr && (known->has(from) || from == MPI_ANY_SOURCE) && is_tag(tag) &&
         is_good(data, count, type, comm);
}

/// True if both halves of an exchange have good arguments; checked before one of them begins.
bool exchangeable(const Communicator* known, const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                  const void* in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm);

inline int source_in_world(const Communicator& comm, int from) {
  return from == MPI_ANY_SOURCE ? from : comm.world(from);
}

} // namespace hypermon
