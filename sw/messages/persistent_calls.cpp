// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests: starting one is an isend or an irecv. And what else is done to requests than to complete them.
#include "sw/messages/library.hpp"
#include "sw/mpi/arguments.hpp"

#include <algorithm>

namespace hypermon::messages {
namespace {

template <auto Real, bool synchronous>
int call_send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !sendable(known, data, count, type, to, tag, comm))
    return (smpi().*Real)(data, count, type, to, tag, comm, request);
  const int status = (smpi().*Real)(data, count, type, to, tag, known->smpi, request);
  if (status == MPI_SUCCESS)
    library().books(self).persistent[*request] = [&self, comm = *known, data, count, type, to, tag] {
      const RequestPtr begun = begin_send(self, comm, data, count, type, to, tag, synchronous);
      if constexpr (Real == &MpiTable::Bsend_init) begun->done = true;
      return begun;
    };
  return status;
}

int call_recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !receivable(known, data, count, type, from, tag, comm))
    return smpi().Recv_init(data, count, type, from, tag, comm, request);
  const int status = smpi().Recv_init(data, count, type, from, tag, known->smpi, request);
  if (status == MPI_SUCCESS)
    library().books(self).persistent[*request] = [&self, comm = *known, data, count, type, from, tag] {
      return begin_receive(self, comm, data, count, type, from, tag);
    };
  return status;
}

int call_start(MPI_Request* request) {
  if (request == nullptr) return smpi().Start(request);
  Books& books = library().books(rank_table().self());
  const auto found = books.persistent.find(*request);
  if (found == books.persistent.end()) return smpi().Start(request);
  books.active[*request] = found->second();
  return MPI_SUCCESS;
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
  Books& books = library().books(rank_table().self());
  if (const auto active = books.active.extract(*request)) books.freed.push_back(active.mapped());
  books.persistent.erase(*request);
  return smpi().Request_free(request);
}

int call_cancel(MPI_Request* request) {
  if (request == nullptr) return smpi().Cancel(request);
  Books& books = library().books(rank_table().self());
  const auto active = books.active.find(*request);
  if (active == books.active.end()) return smpi().Cancel(request);
  if (active->second->cancel) active->second->cancel();
  return MPI_SUCCESS;
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

} // namespace hypermon::messages
