// SPDX-License-Identifier: BSD-3-Clause
// Waits for and tests requests. The state comes from NX/2's own records for the requests that they contain.
#include "sw/mpi/completion.hpp"
#include "sw/nx2/point_to_point.hpp"

#include <algorithm>

namespace hypermon {
namespace point_to_point {
namespace {

/// Waits for a message that SMPI does not track (Message::is_apart). A short one has left already.
int wait_for_apart(const RankState& self, const Message& message, MPI_Request* request, MPI_Status* status) {
  return point_to_point::wait_for_apart(message, calls(self).persistent.contains(*request), request, status);
}

void complete_freed(const RankState& self, const Freed& freed) {
  MPI_Request request = freed.request;
  MPI_Status status{};
  if (freed.message && freed.message->is_apart) {
    if (!freed.is_persistent) smpi().Request_free(&request);
  } else {
    smpi().Wait(&request, &status);
    if (freed.receive) agree(self, freed.receive, status);
  }
  if (freed.is_persistent) smpi().Request_free(&request);
}

} // namespace

int call_wait(MPI_Request* request, MPI_Status* status) {
  if (request == nullptr) return smpi().Wait(request, status);
  RankState& self = rank_table().self();
  Calls& mine = calls(self);
  const auto wait = [&](MPI_Status* s) {
    const Waiting waiting(self.waits_for, {"MPI_Wait"});
    return smpi().Wait(request, s);
  };
  if (const auto r = mine.receives.find(*request); r != mine.receives.end()) {
    const auto receive = r->second;
    mine.receives.erase(r);
    begin_wait(self, Call::msgwait);
    return complete(self, Call::msgwait, receive, status, wait);
  }
  if (const auto s = mine.sends.find(*request); s != mine.sends.end()) {
    const auto message = s->second;
    mine.sends.erase(s);
    begin_wait(self, Call::msgwait);
    const int result = message->is_apart ? wait_for_apart(self, *message, request, status) : wait(status);
    execution().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::msgwait); });
    settle(self);
    return result;
  }
  return wait(status);
}

void settle(RankState& self) {
  Calls& mine = calls(self);
  if (mine.freed.empty()) [[likely]]
    return;
  std::vector<Freed> left;
  for (const Freed& freed : std::exchange(mine.freed, {})) {
    const bool is_done = freed.receive ? freed.receive->message && freed.receive->message->arrived
                                       : freed.message->arrived || freed.message->is_cancelled;
    if (is_done)
      complete_freed(self, freed);
    else
      left.push_back(freed);
  }
  mine.freed.insert(mine.freed.end(), left.begin(), left.end());
}

void await_freed(RankState& self) {
  const Waiting waiting(self.waits_for, {"MPI_Finalize, for a request that was freed"});
  for (const Freed& freed : std::exchange(calls(self).freed, {})) complete_freed(self, freed);
}

} // namespace point_to_point

using namespace point_to_point;

namespace {

int call_waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (count < 0 || requests == nullptr) return smpi().Waitall(count, requests, statuses);
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i)
    if (call_wait(&requests[i], nth(statuses, i)) != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
  return result;
}

Progress progress(const Calls& mine, MPI_Request request) {
  if (const auto r = mine.receives.find(request); r != mine.receives.end())
    return r->second->is_cancelled || (r->second->message && r->second->message->arrival_noticed) ? Progress::done
                                                                                                  : Progress::under_way;
  if (const auto s = mine.sends.find(request); s != mine.sends.end())
    return s->second->is_short || s->second->arrived || s->second->is_cancelled ? Progress::done : Progress::under_way;
  return is_inactive(mine.persistent, request) ? Progress::inactive : Progress::smpis;
}

/// Completes a request whose end is recorded already. Takes no time.
int take(RankState& self, MPI_Request* request, MPI_Status* status) {
  Calls& mine = calls(self);
  MPI_Status own{};
  if (status == MPI_STATUS_IGNORE) status = &own;
  const auto r = mine.receives.find(*request);
  const auto receive = r == mine.receives.end() ? nullptr : r->second;
  if (receive) mine.receives.erase(r);
  const auto send = mine.sends.extract(*request);
  const bool is_apart = !send.empty() && send.mapped()->is_apart;
  const int result = is_apart ? wait_for_apart(self, *send.mapped(), request, status) : smpi().Wait(request, status);
  if (receive) agree(self, receive, *status);
  settle(self);
  return receive ? result_of(*receive, result) : result;
}

/// Sleeps until one of the requests is complete; returns its index.
int wait_any(RankState& self, int count, MPI_Request requests[], MPI_Status* status, int& result) {
  Calls& mine = calls(self);
  for (int i = 0; i < count; ++i)
    if (progress(mine, requests[i]) == Progress::done) {
      result = take(self, &requests[i], status);
      return i;
    }
  std::vector<std::shared_ptr<Receive>> receives(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    if (const auto r = mine.receives.find(requests[i]); r != mine.receives.end()) {
      receives[static_cast<std::size_t>(i)] = r->second;
      r->second->blocked = true;
    }
  execution().kernel_work(self, [&](NodeKernel& k) { switch_out(k); });
  const std::vector<MPI_Request> before(requests, requests + count);
  MPI_Status own{};
  if (status == MPI_STATUS_IGNORE) status = &own;
  int which = MPI_UNDEFINED;
  {
    const Waiting waiting(self.waits_for, {"MPI_Waitany"});
    result = smpi().Waitany(count, requests, &which, status);
  }
  const auto taken = which == MPI_UNDEFINED ? nullptr : receives[static_cast<std::size_t>(which)];
  if (which != MPI_UNDEFINED) {
    mine.receives.erase(before[static_cast<std::size_t>(which)]);
    mine.sends.erase(before[static_cast<std::size_t>(which)]);
  }
  if (taken) {
    agree(self, taken, *status);
    result = result_of(*taken, result);
  }
  execution().kernel_work(self, [&](NodeKernel& k) {
    if (taken) take_delivery(k, *taken);
    switch_in(k);
  });
  for (const auto& receive : receives)
    if (receive && receive != taken) protocol().unblock(*receive);
  return which;
}

/// NX/2's part of calls that concern several requests (see CompletionCalls).
struct Requests {
  static constexpr bool inactive_are_smpis = false;
  static Progress progress(const RankState& self, MPI_Request request) {
    return hypermon::progress(calls(self), request);
  }
  static int take(RankState& self, MPI_Request* request, MPI_Status* status) {
    return hypermon::take(self, request, status);
  }
  static void begin_wait(RankState& self) { point_to_point::begin_wait(self, Call::msgwait); }
  static void end_wait(RankState& self) {
    execution().kernel_work(self, [&](NodeKernel& k) { leave(k, Call::msgwait); });
  }
  static int wait_any(RankState& self, int count, MPI_Request requests[], MPI_Status* status, int& result) {
    return hypermon::wait_any(self, count, requests, status, result);
  }
  static void poll(RankState& self) { execution().compute(self, execution().test_cost()); }
};

int call_test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (request == nullptr || flag == nullptr) return smpi().Test(request, flag, status);
  RankState& self = rank_table().self();
  const MPI_Request before = *request;
  execution().compute(self, execution().test_cost());
  // SMPI 3.32 removes a request from its actor's list of activities when it is waited for, but never when it is tested.
  // NX/2's records show without a simcall whether the message has arrived.
  if (calls(self).receives.contains(before)) {
    *flag = progress(calls(self), before) == Progress::done ? 1 : 0;
    return *flag == 0 ? MPI_SUCCESS : take(self, request, status);
  }
  const auto send = calls(self).sends.find(before);
  if (send != calls(self).sends.end() && (send->second->is_apart || send->second->is_cancelled)) {
    *flag = progress(calls(self), before) == Progress::done ? 1 : 0;
    return *flag == 0 ? MPI_SUCCESS : take(self, request, status);
  }
  const int result = smpi().Test(request, flag, status);
  if (*flag != 0) calls(self).sends.erase(before);
  return result;
}

int call_request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  RankState& self = rank_table().self();
  execution().compute(self, execution().test_cost());
  const Calls& mine = calls(self);
  if (flag == nullptr || progress(mine, request) != Progress::under_way)
    return smpi().Request_get_status(request, flag, status);
  *flag = 0;
  return MPI_SUCCESS;
}

} // namespace

void add_completion_calls(MpiTable& table) {
  CompletionCalls<Requests>::add(table);
  table.Wait = call_wait;
  table.Waitall = call_waitall;
  table.Test = call_test;
  table.Request_get_status = call_request_get_status;
}

} // namespace hypermon
