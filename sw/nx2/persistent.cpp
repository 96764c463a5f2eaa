// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests: starting one is an isend or an irecv. And what else is done to requests than to complete them.
#include "sw/mpi/held.hpp"
#include "sw/nx2/point_to_point.hpp"

#include <algorithm>

namespace hypermon {
using namespace point_to_point;

namespace {

using SendInit = decltype(&::PMPI_Send_init);

template <SendInit MpiTable::*Real, bool synchronous>
int call_send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (request == nullptr || !sendable(known, data, count, type, to, tag, comm))
    return (smpi().*Real)(data, count, type, to, tag, comm, request);
  const int status = (smpi().*Real)(data, count, type, to, tag, known->smpi, request);
  if (status != MPI_SUCCESS) return status;
  Persistent own{true, synchronous, *known, bytes_of(count, type), to, tag};
  // SMPI 3.32 writes the next message's number over that of one that waits for its receive: such a one is never taken.
  if (protocol().is_short(own.bytes) && !synchronous)
    own.send = [data, count, type, to, tag, smpi_comm = known->smpi, held = hold(type)] {
      MPI_Request apart = MPI_REQUEST_NULL;
      const int started = smpi().Isend(data, count, type, to, tag, smpi_comm, &apart);
      return started == MPI_SUCCESS ? smpi().Wait(&apart, MPI_STATUS_IGNORE) : started; // it has left
    };
  calls(self).persistent.insert_or_assign(*request, std::move(own));
  return status;
}

int call_recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  RankState& self = rank_table().self();
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
  RankState& self = rank_table().self();
  const auto it = calls(self).persistent.find(*request);
  if (it == calls(self).persistent.end()) return smpi().Start(request);
  const Persistent& p = it->second;
  int status = MPI_SUCCESS;
  auto start = [&] { return status = smpi().Start(request); };
  if (p.is_send) {
    auto& message = calls(self).sends[*request];
    begin_isend(self, p.comm, p.bytes, p.peer, p.tag, p.synchronous, message, [&] {
      message->is_apart = is_lost(*message) || p.send;
      if (is_lost(*message)) return status;
      if (p.send) return status = p.send();
      if (!message->is_short) message->skip = skipping(p.comm, p.peer, p.tag);
      return start();
    });
  } else {
    begin_irecv(self, p.comm, p.bytes, p.peer, p.tag, *request, start);
  }
  return status;
}

int call_startall(int count, MPI_Request* requests) {
  if (requests == nullptr || std::find(requests, requests + std::max(count, 0), MPI_REQUEST_NULL) < requests + count)
    return smpi().Startall(count, requests);
  int status = MPI_SUCCESS;
  for (int i = 0; i < count && status == MPI_SUCCESS; ++i) status = call_start(&requests[i]);
  return status;
}

/// SMPI 3.32 deletes a freed request at once, though its message is under way: it gets to know when that has come.
int call_request_free(MPI_Request* request) {
  if (request == nullptr) return smpi().Request_free(request);
  Calls& mine = calls(rank_table().self());
  const bool is_persistent = mine.persistent.erase(*request) > 0;
  const auto receive = mine.receives.extract(*request);
  const auto send = mine.sends.extract(*request);
  if (receive.empty() && send.empty()) return smpi().Request_free(request);
  mine.freed.push_back(
      {*request, is_persistent, receive.empty() ? nullptr : receive.mapped(), send.empty() ? nullptr : send.mapped()});
  *request = MPI_REQUEST_NULL;
  settle(rank_table().self());
  return MPI_SUCCESS;
}

/// A receive that has its message, and a send that a receive has matched, are not cancelled.
int call_cancel(MPI_Request* request) {
  if (request == nullptr) return smpi().Cancel(request);
  const RankState& self = rank_table().self();
  const Calls& mine = calls(self);
  if (const auto r = mine.receives.find(*request); r != mine.receives.end()) {
    if (r->second->message) return MPI_SUCCESS;
    protocol().matcher(self.rank).withdraw(r->second);
    r->second->is_cancelled = true;
  }
  if (const auto s = mine.sends.find(*request); s != mine.sends.end()) {
    if (s->second->is_apart || !protocol().withdraw(s->second)) return MPI_SUCCESS;
    s->second->skip();
  }
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
