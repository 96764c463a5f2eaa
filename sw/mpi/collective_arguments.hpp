// SPDX-License-Identifier: BSD-3-Clause
// Which arguments of collective calls are good: no communicator between groups, members that exist, buffers, counts and
// types that SMPI takes, as much sent as received within a rank. All that is not good is SMPI's to refuse.
#pragma once
#include "sw/mpi/arguments.hpp"

namespace hypermon::good {

bool bcast(const Communicator& known, void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);
bool reduce(const Communicator& known, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm);
/// Of MPI_Allreduce, MPI_Scan, MPI_Exscan and MPI_Reduce_scatter_block.
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
/// And of MPI_Alltoall.
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
