// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests: starting one is an isend or an irecv. Also the calls for requests that do not complete them.
#include "sw/mpi/persistent.hpp"
#include "sw/mpi/held.hpp"
#include "sw/nx2/point_to_point.hpp"

#include <utility>

namespace hypermon {
using namespace point_to_point;

namespace {

/// Keeps the arguments of persistent requests, and starts them.
struct PersistentRequests {
  template <auto, bool synchronous>
  static void keep_send(const RankState& self, const Communicator& comm, const PersistentArguments& a,
                        MPI_Request request) {
    Persistent own{true, synchronous, comm, bytes_of(a.count, a.type), a.peer, a.tag};
    // When SMPI 3.32 starts a persistent send again, it overwrites the number of a message that still waits for its
    // receive, so that no receive takes that message. A short message is therefore sent with a request of its own.
    if (protocol().is_short(own.bytes) && !synchronous)
      own.send = [a, smpi_comm = comm.smpi, held = hold(a.type)] {
        MPI_Request apart = MPI_REQUEST_NULL;
        const int started = smpi().Isend(a.data, a.count, a.type, a.peer, a.tag, smpi_comm, &apart);
        return started == MPI_SUCCESS ? smpi().Wait(&apart, MPI_STATUS_IGNORE) : started; // the message has left
      };
    calls(self).persistent.insert_or_assign(request, std::move(own));
  }

  static void keep_receive(const RankState& self, const Communicator& comm, const PersistentArguments& a,
                           MPI_Request request) {
    calls(self).persistent.insert_or_assign(request,
                                            Persistent{false, false, comm, bytes_of(a.count, a.type), a.peer, a.tag});
  }

  static bool start(RankState& self, MPI_Request* request, int& status) {
    const auto it = calls(self).persistent.find(*request);
    if (it == calls(self).persistent.end()) return false;
    const Persistent& p = it->second;
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
    return true;
  }
};

/// SMPI 3.32 deletes a freed request at once, although its message is under way. So SMPI is told only after its
/// arrival.
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

/// A receive that has its message, or a send that a receive has matched, is not cancelled.
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
  PersistentCalls<PersistentRequests>::add(table);
  table.Request_free = call_request_free;
  table.Cancel = call_cancel;
}

} // namespace hypermon
