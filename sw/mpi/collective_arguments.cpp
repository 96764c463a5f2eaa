// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/collective_arguments.hpp"
#include "sw/mpi/buffers.hpp"

#include <algorithm>

namespace hypermon::good {
namespace {

bool are_as_long(int count, MPI_Datatype type, int other_count, MPI_Datatype other_type) {
  return bytes_of(count, type) == bytes_of(other_count, other_type);
}

} // namespace

bool bcast(const Communicator& known, void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return known.has(root) && is_good(data, count, type, comm);
}

bool reduce(const Communicator& /*known*/, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op,
            int root, MPI_Comm comm) {
  return is_reducible(in, result, count, type, op, root, comm);
}

bool combining(const Communicator& /*known*/, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  return is_combinable(in, result, count, type, op, comm);
}

bool reduce_scatter(const Communicator& known, const void* in, void* result, const int* counts, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm) {
  return counts != nullptr && std::all_of(counts, counts + known.size(),
                                          [&](int count) { return is_combinable(in, result, count, type, op, comm); });
}

bool gather(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
            MPI_Datatype in_type, int root, MPI_Comm comm) {
  const bool own = out != MPI_IN_PLACE;
  if (!known.has(root) || (own && !is_good(out, out_count, out_type, comm))) return false;
  if (known.rank != root) return own;
  return in != MPI_IN_PLACE && is_good(in, in_count, in_type, comm) &&
         (!own || are_as_long(out_count, out_type, in_count, in_type));
}

bool gatherv(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in,
             const int* in_counts, const int* in_at, MPI_Datatype in_type, int root, MPI_Comm comm) {
  const bool own = out != MPI_IN_PLACE;
  if (!known.has(root) || (own && !is_good(out, out_count, out_type, comm))) return false;
  if (known.rank != root) return own;
  return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_type, comm, known.size());
}

bool scatter(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
             MPI_Datatype in_type, int root, MPI_Comm comm) {
  const bool own = in != MPI_IN_PLACE;
  if (!known.has(root) || (own && !is_good(in, in_count, in_type, comm))) return false;
  if (known.rank != root) return own;
  return out != MPI_IN_PLACE && is_good(out, out_count, out_type, comm) &&
         (!own || are_as_long(out_count, out_type, in_count, in_type));
}

bool scatterv(const Communicator& known, const void* out, const int* out_counts, const int* out_at,
              MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
  const bool own = in != MPI_IN_PLACE;
  if (!known.has(root) || (own && (out == MPI_IN_PLACE || !is_good(in, in_count, in_type, comm)))) return false;
  if (known.rank != root) return own;
  return out_at != nullptr && are_good(out, out_counts, out_type, comm, known.size());
}

bool allgather(const Communicator& /*known*/, const void* out, int out_count, MPI_Datatype out_type, void* in,
               int in_count, MPI_Datatype in_type, MPI_Comm comm) {
  return in != MPI_IN_PLACE && is_good(in, in_count, in_type, comm) &&
         (out == MPI_IN_PLACE ||
          (is_good(out, out_count, out_type, comm) && are_as_long(out_count, out_type, in_count, in_type)));
}

bool allgatherv(const Communicator& known, const void* out, int out_count, MPI_Datatype out_type, void* in,
                const int* in_counts, const int* in_at, MPI_Datatype in_type, MPI_Comm comm) {
  return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_type, comm, known.size()) &&
         (out == MPI_IN_PLACE || is_good(out, out_count, out_type, comm));
}

bool alltoallv(const Communicator& known, const void* out, const int* out_counts, const int* out_at,
               MPI_Datatype out_type, void* in, const int* in_counts, const int* in_at, MPI_Datatype in_type,
               MPI_Comm comm) {
  return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_type, comm, known.size()) &&
         (out == MPI_IN_PLACE || (out_at != nullptr && are_good(out, out_counts, out_type, comm, known.size()) &&
                                  are_as_long(out_counts[known.rank], out_type, in_counts[known.rank], in_type)));
}

bool alltoallw(const Communicator& known, const void* out, const int* out_counts, const int* out_at,
               const MPI_Datatype* out_types, void* in, const int* in_counts, const int* in_at,
               const MPI_Datatype* in_types, MPI_Comm comm) {
  return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_types, comm, known.size()) &&
         (out == MPI_IN_PLACE ||
          (out_at != nullptr && are_good(out, out_counts, out_types, comm, known.size()) &&
           are_as_long(out_counts[known.rank], out_types[known.rank], in_counts[known.rank], in_types[known.rank])));
}

} // namespace hypermon::good
