// SPDX-License-Identifier: BSD-3-Clause
// Replaces functions of SMPI 3.32 that crash on a wrong argument or do not return an error that they find. The
// replacements return the error class that MPI defines (docs/design/mpi.md, Errors).
#include "sw/mpi/errors.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/smpi_messages.hpp"

#include <numeric>

namespace hypermon {
namespace {

bool are_missing(int count, const MPI_Request* requests) { return count > 0 && requests == nullptr; }

int waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (are_missing(count, requests)) return MPI_ERR_ARG;
  return noticed(smpi_itself().Waitall(count, requests, statuses), MPI_ERR_IN_STATUS);
}

int waitany(int count, MPI_Request requests[], int* which, MPI_Status* status) {
  if (are_missing(count, requests)) return MPI_ERR_ARG;
  return noticed(smpi_itself().Waitany(count, requests, which, status), MPI_ERR_TRUNCATE);
}

int waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  if (are_missing(count, requests)) return MPI_ERR_ARG;
  return noticed(smpi_itself().Waitsome(count, requests, done, indices, statuses), MPI_ERR_IN_STATUS);
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  return noticed(smpi_itself().Test(request, flag, status), MPI_ERR_TRUNCATE);
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  if (are_missing(count, requests)) return MPI_ERR_ARG;
  return noticed(smpi_itself().Testall(count, requests, flag, statuses), MPI_ERR_IN_STATUS);
}

int testany(int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status) {
  if (are_missing(count, requests)) return MPI_ERR_ARG;
  return noticed(smpi_itself().Testany(count, requests, which, flag, status), MPI_ERR_TRUNCATE);
}

int testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  if (are_missing(count, requests)) return MPI_ERR_ARG;
  return noticed(smpi_itself().Testsome(count, requests, done, indices, statuses), MPI_ERR_IN_STATUS);
}

int start(MPI_Request* request) {
  return request == nullptr || *request == MPI_REQUEST_NULL ? MPI_ERR_REQUEST : smpi_itself().Start(request);
}

int cancel(MPI_Request* request) {
  if (request == nullptr || *request == MPI_REQUEST_NULL) return MPI_ERR_REQUEST;
  const int status = smpi_itself().Cancel(request);
  if (watched_smpi_messages != nullptr && status == MPI_SUCCESS) watched_smpi_messages->cancelled(*request);
  return status;
}

int request_free(MPI_Request* request) {
  return request == nullptr ? MPI_ERR_REQUEST : smpi_itself().Request_free(request);
}

int request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return flag == nullptr ? MPI_ERR_ARG : smpi_itself().Request_get_status(request, flag, status);
}

/// SMPI does not check one partner's rank if the other one is MPI_PROC_NULL. Then it is checked here.
int sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
             MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  int size = 0;
  if ((to == MPI_PROC_NULL) != (from == MPI_PROC_NULL) && smpi_itself().Comm_size(comm, &size) == MPI_SUCCESS) {
    const int partner = to == MPI_PROC_NULL ? from : to;
    if (partner >= size || (partner < 0 && (partner != MPI_ANY_SOURCE || to == partner))) to = from = size;
  }
  return noticed(
      smpi_itself().Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status),
      MPI_ERR_TRUNCATE);
}

/// The buffer is empty, but a message must be sent and one received all the same.
int sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag, MPI_Comm comm,
                     MPI_Status* status) {
  int bytes = 0;
  if (count == 0 || (PMPI_Type_size(type, &bytes) == MPI_SUCCESS && bytes == 0))
    return sendrecv(data, count, type, to, out_tag, data, count, type, from, in_tag, comm, status);
  return smpi_itself().Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, status);
}

/// SMPI treats MPI_IN_PLACE as an address.
template <auto Real, class... Arguments> int into_room(const void* in, void* result, Arguments... arguments) {
  return result == MPI_IN_PLACE ? MPI_ERR_BUFFER : (smpi_itself().*Real)(in, result, arguments...);
}

template <auto Real, class... Arguments>
int exchanged(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
              Arguments... arguments) {
  if (in == MPI_IN_PLACE && in_count > 0) return MPI_ERR_BUFFER;
  return (smpi_itself().*Real)(out, out_count, out_type, in, in_count, in_type, arguments...);
}
template <auto Real, class Types, class... Arguments>
int exchanged_each(const void* out, const int* out_counts, const int* out_at, Types out_types, void* in,
                   Arguments... arguments) {
  return in == MPI_IN_PLACE ? MPI_ERR_BUFFER
                            : (smpi_itself().*Real)(out, out_counts, out_at, out_types, in, arguments...);
}

template <auto Real> int comm_given(MPI_Comm* comm) {
  return comm == nullptr ? MPI_ERR_ARG : (smpi_itself().*Real)(comm);
}

int win_free(MPI_Win* win) { return win == nullptr ? MPI_ERR_ARG : smpi_itself().Win_free(win); }

template <auto Real, class... Arguments> int making(MPI_Comm parent, Arguments... arguments, MPI_Comm* made) {
  return inherit_handler((smpi_itself().*Real)(parent, arguments..., made), parent, made);
}

int guarded_cart_create(MPI_Comm comm, int n, const int* dims, const int* periods, int reorder, MPI_Comm* made) {
  int size = 0;
  const auto product = [&] { return std::accumulate(dims, dims + n, 1.0, std::multiplies<>()); };
  if (n > 0 && dims != nullptr && smpi_itself().Comm_size(comm, &size) == MPI_SUCCESS && product() > size)
    return MPI_ERR_DIMS;
  return inherit_handler(smpi_itself().Cart_create(comm, n, dims, periods, reorder, made), comm, made);
}

} // namespace

void add_guards(MpiTable& table) {
  table.Waitall = waitall;
  table.Waitany = waitany;
  table.Waitsome = waitsome;
  table.Test = test;
  table.Testall = testall;
  table.Testany = testany;
  table.Testsome = testsome;
  table.Start = start;
  table.Cancel = cancel;
  table.Request_free = request_free;
  table.Request_get_status = request_get_status;
  table.Sendrecv = sendrecv;
  table.Sendrecv_replace = sendrecv_replace;
  table.Scan = into_room<&MpiTable::Scan>;
  table.Exscan = into_room<&MpiTable::Exscan>;
  table.Iscan = into_room<&MpiTable::Iscan>;
  table.Iexscan = into_room<&MpiTable::Iexscan>;
  table.Reduce_scatter_block = into_room<&MpiTable::Reduce_scatter_block>;
  table.Ireduce_scatter_block = into_room<&MpiTable::Ireduce_scatter_block>;
  table.Alltoall = exchanged<&MpiTable::Alltoall>;
  table.Ialltoall = exchanged<&MpiTable::Ialltoall>;
  table.Alltoallv = exchanged_each<&MpiTable::Alltoallv>;
  table.Ialltoallv = exchanged_each<&MpiTable::Ialltoallv>;
  table.Alltoallw = exchanged_each<&MpiTable::Alltoallw>;
  table.Ialltoallw = exchanged_each<&MpiTable::Ialltoallw>;
  table.Comm_free = comm_given<&MpiTable::Comm_free>;
  table.Comm_disconnect = comm_given<&MpiTable::Comm_disconnect>;
  table.Win_free = win_free;
  table.Comm_split = making<&MpiTable::Comm_split, int, int>;
  table.Comm_split_type = making<&MpiTable::Comm_split_type, int, int, MPI_Info>;
  table.Comm_create = making<&MpiTable::Comm_create, MPI_Group>;
  table.Comm_create_group = making<&MpiTable::Comm_create_group, MPI_Group, int>;
  table.Cart_create = guarded_cart_create;
  table.Cart_sub = making<&MpiTable::Cart_sub, const int*>;
}

} // namespace hypermon
