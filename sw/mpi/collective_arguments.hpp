// SPDX-License-Identifier: BSD-3-Clause
// Checks the arguments of collective calls: an intracommunicator, existing members, buffers, counts and types that SMPI
// accepts, and equal amounts sent and received within a rank. SMPI refuses all other calls.
#pragma once
#include "sw/mpi/arguments.hpp"

namespace hypermon::good {

bool bcast(const Communicator& known, void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);
bool reduce(const Communicator& known, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm);
/// For MPI_Allreduce, MPI_Scan, MPI_Exscan and MPI_Reduce_scatter_block.
bool combining(const Communicator& known, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm);
bool reduce_scatter(const Communicator& known, const void* in, void* result, const int* counts, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm);
bool gather(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
            MPI_Datatype in_type, int root, MPI_Comm comm);
bool gatherv(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in,
             const int* in_counts, const int* in_at, MPI_Datatype in_type, int root, MPI_Comm comm);
bool scatter(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
             MPI_Datatype in_type, int root, MPI_Comm comm);
bool scatterv(const Communicator& known, const void* out, const int* out_counts, const int* out_at,
              MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm);
/// Also for MPI_Alltoall.
bool allgather(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
               MPI_Datatype in_type, MPI_Comm comm);
bool allgatherv(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in,
                const int* in_counts, const int* in_at, MPI_Datatype in_type, MPI_Comm comm);
bool alltoallv(const Communicator& known, const void* out, const int* out_counts, const int* out_at,
               MPI_Datatype out_type, void* in, const int* in_counts, const int* in_at, MPI_Datatype in_type,
               MPI_Comm comm);
bool alltoallw(const Communicator& known, const void* out, const int* out_counts, const int* out_at,
               const MPI_Datatype* out_types, void* in, const int* in_counts, const int* in_at,
               const MPI_Datatype* in_types, MPI_Comm comm);

} // namespace hypermon::good
