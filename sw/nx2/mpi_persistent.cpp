// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests: starting one is an isend or an irecv. And what else is done to requests than to complete them.
#include "sw/nx2/mpi_point_to_point.hpp"

#include <algorithm>

namespace hypermon {
using namespace point_to_point;

namespace {

using SendInit = decltype(&::PMPI_Send_init);

template <SendInit MpiTable::*Real, bool synchronous>
int call_send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !sendable(known, data, count, type, to, tag, comm))
    return (smpi().*Real)(data, count, type, to, tag, comm, request);
  const int status = (smpi().*Real)(data, count, type, to, tag, known->smpi, request);
  if (status != MPI_SUCCESS) return status;
  calls(self).persistent.insert_or_assign(*request,
                                          Persistent{true, synchronous, *known, bytes_of(count, type), to, tag});
  return status;
}

int call_recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !receivable(known, data, count, type, from, tag, comm))
    return smpi().Recv_init(data, count, type, from, tag, comm, request);
  const int status = smpi().Recv_init(data, count, type, from, tag, known->smpi, request);
  if (status != MPI_SUCCESS) return status;
  calls(self).persistent.insert_or_assign(*request, Persistent{false, false, *known, bytes_of(count, type), from, tag});
  return status;
}

int call_start(MPI_Request* request) {
  if (request == nullptr) return smpi().Start(request);
  RankState& self = nx2().self();
  const auto it = calls(self).persistent.find(*request);
  if (it == calls(self).persistent.end()) return smpi().Start(request);
  const Persistent p = it->second;
  int status = MPI_SUCCESS;
  const auto start = [&] { return status = smpi().Start(request); };
  if (p.is_send)
    begin_isend(self, p.comm, p.bytes, p.peer, p.tag, p.synchronous, calls(self).sends[*request], start);
  else
    begin_irecv(self, p.comm, p.bytes, p.peer, p.tag, *request, start);
  return status;
}

int call_startall(int count, MPI_Request* requests) {
  if (requests == nullptr || std::find(requests, requests + std::max(count, 0), MPI_REQUEST_NULL) < requests + count)
    return smpi().Startall(count, requests);
  int status = MPI_SUCCESS;
  for (int i = 0; i < count && status == MPI_SUCCESS; ++i) status = call_start(&requests[i]);
  return status;
}

int call_request_free(MPI_Request* request) {
  if (request == nullptr) return smpi().Request_free(request);
  Calls& mine = calls(nx2().self());
  mine.receives.erase(*request);
  mine.sends.erase(*request);
  mine.persistent.erase(*request);
  return smpi().Request_free(request);
}

int call_cancel(MPI_Request* request) {
  if (request == nullptr) return smpi().Cancel(request);
  const RankState& self = nx2().self();
  const auto r = calls(self).receives.find(*request);
  if (r != calls(self).receives.end()) nx2().matcher(self.rank).withdraw(r->second);
  return smpi().Cancel(request);
}

} // namespace

void add_persistent_calls(MpiTable& table) {
  table.Send_init = call_send_init<&MpiTable::Send_init, false>;
  table.Rsend_init = call_send_init<&MpiTable::Rsend_init, false>;
  table.Ssend_init = call_send_init<&MpiTable::Ssend_init, true>;
  table.Bsend_init = call_send_init<&MpiTable::Bsend_init, false>;
  table.Recv_init = call_recv_init;
  table.Start = call_start;
  table.Startall = call_startall;
  table.Request_free = call_request_free;
  table.Cancel = call_cancel;
}

} // namespace hypermon
