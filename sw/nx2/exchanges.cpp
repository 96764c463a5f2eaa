// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives in one call. Short messages go in turn; beside a long message, which blocks, the receive is an
// irecv.
#include "sw/nx2/point_to_point.hpp"

namespace hypermon {
using namespace point_to_point;

namespace {

int call_sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  const Communicator* known = find(rank_table().self(), comm);
  if (!exchangeable(known, out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm))
    return smpi().Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
  if (protocol().is_short(bytes_of(out_count, out_type))) {
    const int sent = call_send(out, out_count, out_type, to, out_tag, comm);
    return sent == MPI_SUCCESS ? call_recv(in, in_count, in_type, from, in_tag, comm, status) : sent;
  }
  MPI_Request request = MPI_REQUEST_NULL; // a long send blocks until its receive is posted
  if (const int begun = call_irecv(in, in_count, in_type, from, in_tag, comm, &request); begun != MPI_SUCCESS)
    return begun;
  const int sent = call_send(out, out_count, out_type, to, out_tag, comm);
  const int received = call_wait(&request, status);
  return sent == MPI_SUCCESS ? received : sent;
}

int call_sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                          MPI_Comm comm, MPI_Status* status) {
  const Communicator* known = find(rank_table().self(), comm);
  if (!exchangeable(known, data, count, type, to, out_tag, data, count, type, from, in_tag, comm))
    return smpi().Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, status);
  const auto bytes = static_cast<int>(bytes_of(count, type));
  std::vector<char> out(static_cast<std::size_t>(bytes));
  if (to != MPI_PROC_NULL)
    if (const int status = copy(data, count, type, out.data(), bytes, MPI_BYTE); status != MPI_SUCCESS) return status;
  return call_sendrecv(out.data(), bytes, MPI_BYTE, to, out_tag, data, count, type, from, in_tag, comm, status);
}

} // namespace

int send_receive(RankState& self, const Communicator& comm, const void* out, int out_count, MPI_Datatype out_type,
                 int to, int out_tag, void* in, int in_count, MPI_Datatype in_type, int from, int in_tag,
                 MPI_Status* status) {
  if (protocol().is_short(bytes_of(out_count, out_type))) {
    const int sent = send(self, comm, out, out_count, out_type, to, out_tag);
    const int received = receive(self, comm, in, in_count, in_type, from, in_tag, status);
    return sent == MPI_SUCCESS ? received : sent;
  }
  MPI_Request request = MPI_REQUEST_NULL; // a long send blocks until its receive is posted
  int begun = MPI_SUCCESS;
  begin_irecv(self, comm, bytes_of(in_count, in_type), from, in_tag, request,
              [&] { begun = smpi().Irecv(in, in_count, in_type, from, in_tag, comm.smpi, &request); });
  const int sent = send(self, comm, out, out_count, out_type, to, out_tag);
  const int received = call_wait(&request, status);
  if (begun != MPI_SUCCESS) return begun;
  return sent == MPI_SUCCESS ? received : sent;
}

void add_exchange_calls(MpiTable& table) {
  table.Sendrecv = call_sendrecv;
  table.Sendrecv_replace = call_sendrecv_replace;
}

} // namespace hypermon
