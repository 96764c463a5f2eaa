// SPDX-License-Identifier: BSD-3-Clause
// Waits for and tests of requests, with one step each. SMPI handles the requests of its own calls (one-sided ones).
#include "sw/messages/library.hpp"
#include "sw/mpi/completion.hpp"

#include <algorithm>

namespace hypermon::messages {
namespace {

Progress progress(const RankRequests& rank_requests, MPI_Request request) {
  if (const auto own = rank_requests.active.find(request); own != rank_requests.active.end())
    return own->second->done ? Progress::done : Progress::under_way;
  return is_inactive(rank_requests.persistent, request) ? Progress::inactive : Progress::smpis;
}

bool has(const RankRequests& rank_requests, int count, const MPI_Request requests[], Progress wanted) {
  return std::any_of(requests, requests + count, [&](MPI_Request r) { return progress(rank_requests, r) == wanted; });
}

/// Completes a request that is done.
int take(RankState& self, MPI_Request* request, MPI_Status* status) {
  RankRequests& rank_requests = library().requests_of(self);
  const auto own = rank_requests.active.extract(*request);
  const int result = taken(*own.mapped(), status);
  if (!rank_requests.persistent.contains(*request)) smpi().Request_free(request);
  return result;
}

/// This library's part of calls that concern several requests (see CompletionCalls).
struct Requests {
  static constexpr bool inactive_are_smpis = true;
  static Progress progress(const RankState& self, MPI_Request request) {
    return messages::progress(library().requests_of(self), request);
  }
  static int take(RankState& self, MPI_Request* request, MPI_Status* status) {
    return library().requests_of(self).active.contains(*request) ? messages::take(self, request, status) : MPI_SUCCESS;
  }
  static void begin_wait(RankState& self) { library().step(self); }
  static void end_wait(RankState&) {}
  static int wait_any(RankState& self, int count, MPI_Request requests[], MPI_Status* status, int& result);
  static void poll(RankState& self) { library().poll(self); }
};
using Completion = CompletionCalls<Requests>;

/// Blocks until a request is complete, takes it and returns its index. If SMPI has some of them it polls, because SMPI
/// cannot wait for its own requests and those of this library together.
int Requests::wait_any(RankState& self, int count, MPI_Request requests[], MPI_Status* status, int& result) {
  constexpr Time look_again = 1_us; // (chosen)
  for (;;) {
    for (int i = 0; i < count; ++i)
      if (Completion::test_one(self, &requests[i], status, result)) return i;
    const RankRequests& rank_requests = library().requests_of(self);
    if (has(rank_requests, count, requests, Progress::smpis))
      execution().sleep_until(simgrid_now() + look_again);
    else
      library().await(self, {"MPI_Waitany"}, [&] { return has(rank_requests, count, requests, Progress::done); });
  }
}

int call_wait(MPI_Request* request, MPI_Status* status) {
  RankState& self = rank_table().self();
  RankRequests& rank_requests = library().requests_of(self);
  if (request == nullptr || !rank_requests.active.contains(*request)) {
    const Waiting waiting(self.waits_for, {"MPI_Wait"});
    return smpi().Wait(request, status);
  }
  library().step(self);
  const RequestPtr own = rank_requests.active.at(*request);
  library().await(self, {"MPI_Wait"}, [&] { return own->done; });
  return take(self, request, status);
}

int call_waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  RankState& self = rank_table().self();
  RankRequests& rank_requests = library().requests_of(self);
  if (count < 0 || requests == nullptr || Completion::all_inactive(self, count, requests))
    return smpi().Waitall(count, requests, statuses);
  library().step(self);
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    const auto own = rank_requests.active.find(requests[i]);
    int status = MPI_SUCCESS;
    if (own == rank_requests.active.end()) {
      const Waiting waiting(self.waits_for, {"MPI_Waitall"});
      status = smpi().Wait(&requests[i], nth(statuses, i));
    } else {
      const RequestPtr awaited = own->second;
      library().await(self, {"MPI_Waitall"}, [&] { return awaited->done; });
      status = take(self, &requests[i], nth(statuses, i));
    }
    if (status != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
  }
  return result;
}

int call_test(MPI_Request* request, int* flag, MPI_Status* status) {
  RankState& self = rank_table().self();
  if (request == nullptr || flag == nullptr || !library().requests_of(self).active.contains(*request))
    return smpi().Test(request, flag, status);
  library().poll(self);
  int result = MPI_SUCCESS;
  *flag = Completion::test_one(self, request, status, result) ? 1 : 0;
  return result;
}

int call_request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  RankState& self = rank_table().self();
  const RankRequests& rank_requests = library().requests_of(self);
  const auto own = rank_requests.active.find(request);
  if (flag == nullptr || own == rank_requests.active.end()) return smpi().Request_get_status(request, flag, status);
  library().poll(self);
  *flag = own->second->done ? 1 : 0;
  if (*flag != 0 && status != MPI_STATUS_IGNORE && own->second->fill_status) own->second->fill_status(*status);
  return MPI_SUCCESS;
}

} // namespace

void add_completion_calls(MpiTable& table) {
  Completion::add(table);
  table.Wait = call_wait;
  table.Waitall = call_waitall;
  table.Test = call_test;
  table.Request_get_status = call_request_get_status;
}

} // namespace hypermon::messages
