// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests: starting one is an isend or an irecv. Also the calls for requests that do not complete them.
#include "sw/messages/library.hpp"
#include "sw/mpi/persistent.hpp"

namespace hypermon::messages {
namespace {

/// Keeps the arguments of persistent requests, and starts them.
struct PersistentRequests {
  template <auto Real, bool synchronous>
  static void keep_send(RankState& self, const Communicator& known, const PersistentArguments& a, MPI_Request request) {
    library().requests_of(self).persistent[request] = [&self, comm = known, a] {
      const RequestPtr begun = begin_send(self, comm, a.data, a.count, a.type, a.peer, a.tag, synchronous);
      if constexpr (Real == &MpiTable::Bsend_init) begun->done = true;
      return begun;
    };
  }

  static void keep_receive(RankState& self, const Communicator& known, const PersistentArguments& a,
                           MPI_Request request) {
    library().requests_of(self).persistent[request] = [&self, comm = known, a] {
      return begin_receive(self, comm, a.data, a.count, a.type, a.peer, a.tag);
    };
  }

  static bool start(RankState& self, MPI_Request* request, int& /*status*/) {
    RankRequests& rank_requests = library().requests_of(self);
    const auto found = rank_requests.persistent.find(*request);
    if (found == rank_requests.persistent.end()) return false;
    rank_requests.active[*request] = found->second();
    return true;
  }
};

int call_request_free(MPI_Request* request) {
  if (request == nullptr) return smpi().Request_free(request);
  RankRequests& rank_requests = library().requests_of(rank_table().self());
  if (const auto active = rank_requests.active.extract(*request)) rank_requests.freed.push_back(active.mapped());
  rank_requests.persistent.erase(*request);
  return smpi().Request_free(request);
}

int call_cancel(MPI_Request* request) {
  if (request == nullptr) return smpi().Cancel(request);
  RankRequests& rank_requests = library().requests_of(rank_table().self());
  const auto active = rank_requests.active.find(*request);
  if (active == rank_requests.active.end()) return smpi().Cancel(request);
  if (active->second->cancel) active->second->cancel();
  return MPI_SUCCESS;
}

} // namespace

void add_persistent_calls(MpiTable& table) {
  PersistentCalls<PersistentRequests>::add(table);
  table.Request_free = call_request_free;
  table.Cancel = call_cancel;
}

} // namespace hypermon::messages
