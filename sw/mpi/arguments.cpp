// SPDX-License-Identifier: BSD-3-Clause
// SMPI decides which arguments are good: the check calls a non-blocking operation without room for its request. SMPI
// refuses it for that reason only after it has accepted the other arguments, and before it has begun anything.
#include "sw/mpi/arguments.hpp"
#include "sw/mpi/errors.hpp"
#include "sw/mpi/held.hpp"

#include <algorithm>
#include <vector>

namespace hypermon {
namespace {
template <class Ask> bool all_else_is_good(Ask&& ask) {
  const AskingSmpi asking;
  return ask() == MPI_ERR_REQUEST;
}

/// SMPI's predefined types, which cannot be freed. Most types are these, so the result of their check is kept.
bool is_known(MPI_Datatype type) {
  static std::vector<MPI_Datatype> known;
  if (std::find(known.begin(), known.end(), type) != known.end()) return true;
  if (type == nullptr || type == MPI_DATATYPE_NULL || !is_predefined(type)) return false;
  const bool is_valid = all_else_is_good([&] { return smpi().Ibcast(nullptr, 0, type, 0, MPI_COMM_SELF, nullptr); });
  if (is_valid) known.push_back(type);
  return is_valid;
}
} // namespace

bool is_good(const void* data, int count, MPI_Datatype type, MPI_Comm comm) {
  if (data != nullptr && count >= 0 && is_known(type)) return true;
  return all_else_is_good([&] { return smpi().Ibcast(const_cast<void*>(data), count, type, 0, comm, nullptr); });
}

bool are_good(const void* data, const int* counts, MPI_Datatype type, MPI_Comm comm, int size) {
  if (counts == nullptr || !is_good(data, 0, type, comm)) return false;
  for (int i = 0; i < size; ++i)
    if (counts[i] < 0 || (data == nullptr && !is_good(data, counts[i], type, comm))) return false;
  return true;
}

bool are_good(const void* data, const int* counts, const MPI_Datatype* types, MPI_Comm comm, int size) {
  if (counts == nullptr || types == nullptr) return false;
  for (int i = 0; i < size; ++i)
    if (!is_good(data, counts[i], types[i], comm)) return false;
  return true;
}

bool is_combinable(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return all_else_is_good(
      [&] { return smpi().Iallreduce(in, const_cast<void*>(result), count, type, op, comm, nullptr); });
}

bool is_reducible(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm) {
  return all_else_is_good(
      [&] { return smpi().Ireduce(in, const_cast<void*>(result), count, type, op, root, comm, nullptr); });
}

bool is_bufferable(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const AskingSmpi asking;
  MPI_Request request = MPI_REQUEST_NULL;
  if (smpi().Bsend_init(data, count, type, to, tag, comm, &request) != MPI_SUCCESS) return false;
  return smpi().Request_free(&request) == MPI_SUCCESS;
}

bool exchangeable(const Communicator* known, const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                  const void* in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm) {
  return (to == MPI_PROC_NULL ? is_tag(out_tag) && is_good(out, out_count, out_type, comm)
                              : sendable(known, out, out_count, out_type, to, out_tag, comm)) &&
         (from == MPI_PROC_NULL ? is_tag(in_tag) && is_good(in, in_count, in_type, comm)
                                : receivable(known, in, in_count, in_type, from, in_tag, comm));
}

} // namespace hypermon
