// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/null_partners.hpp"
#include "sw/mpi/completion.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/os/ranks.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hypermon {
namespace null_partners {
namespace {

MpiTable others; // the functions that are wrapped here

/// Requests with a null partner; true: the request has been started.
std::unordered_map<MPI_Request, bool>& requests_of_nobody() {
  static std::unordered_map<MPI_Request, bool> all;
  return all;
}

/// Requests that SMPI may delete at once: persistent ones, and those that SMPI does not use any more.
std::unordered_set<MPI_Request>& free_at_once() {
  static std::unordered_set<MPI_Request> all;
  return all;
}

/// Requests freed by each rank, which still await completion.
std::map<int, std::vector<MPI_Request>>& freed() {
  static std::map<int, std::vector<MPI_Request>> all;
  return all;
}

bool are_any(int count, const MPI_Request requests[]) {
  return !requests_of_nobody().empty() && count > 0 && requests != nullptr &&
         std::any_of(requests, requests + count, has_null_partner);
}

/// Status of a message to or from MPI_PROC_NULL, or of an inactive request.
void fill(MPI_Status* status, bool was_active) {
  if (status == MPI_STATUS_IGNORE) return;
  *status = MPI_Status{was_active ? MPI_PROC_NULL : MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
}

void complete(MPI_Request request, MPI_Status* status) {
  fill(status, std::exchange(requests_of_nobody()[request], false));
}

/// The requests of an array that have a partner.
class Rest {
public:
  Rest(int count, MPI_Request requests[], MPI_Status statuses[]) : requests_(requests), statuses_(statuses) {
    for (int i = 0; i < count; ++i)
      if (!has_null_partner(requests[i])) {
        places_.push_back(i);
        own_.push_back(requests[i]);
      }
    own_statuses_.resize(own_.size());
  }
  ~Rest() {
    for (std::size_t i = 0; i < own_.size(); ++i) {
      requests_[places_[i]] = own_[i];
      if (statuses_ != MPI_STATUSES_IGNORE) statuses_[places_[i]] = own_statuses_[i];
    }
  }
  Rest(const Rest&) = delete;
  Rest& operator=(const Rest&) = delete;
  int count() const { return static_cast<int>(own_.size()); }
  MPI_Request* requests() { return own_.data(); }
  MPI_Status* statuses() { return own_statuses_.data(); }
  int place(int i) const { return i == MPI_UNDEFINED ? i : places_[static_cast<std::size_t>(i)]; }

private:
  MPI_Request* requests_;
  MPI_Status* statuses_;
  std::vector<int> places_;
  std::vector<MPI_Request> own_;
  std::vector<MPI_Status> own_statuses_;
};

/// Completes all started requests with a null partner; returns their number.
int complete_some(int count, MPI_Request requests[], int indices[], MPI_Status statuses[]) {
  int done = 0;
  for (int i = 0; i < count; ++i)
    if (is_active_null_partner(requests[i])) {
      complete(requests[i], nth(statuses, done));
      indices[done++] = i;
    }
  return done;
}

int first_active(int count, const MPI_Request requests[]) {
  const auto* const end = requests + count;
  const auto* const found = std::find_if(requests, end, is_active_null_partner);
  return found == end ? MPI_UNDEFINED : static_cast<int>(found - requests);
}

template <auto Init, class Data>
int init(Data* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int status = (others.*Init)(data, count, type, peer, tag, comm, request);
  if (status != MPI_SUCCESS) return status;
  free_at_once().insert(*request);
  if (peer == MPI_PROC_NULL) requests_of_nobody()[*request] = false;
  return status;
}

int start(MPI_Request* request) {
  if (!are_any(1, request)) return others.Start(request);
  requests_of_nobody()[*request] = true;
  return MPI_SUCCESS;
}

int startall(int count, MPI_Request* requests) {
  if (!are_any(count, requests)) return others.Startall(count, requests);
  int status = MPI_SUCCESS;
  for (int i = 0; i < count && status == MPI_SUCCESS; ++i) status = start(&requests[i]);
  return status;
}

int wait(MPI_Request* request, MPI_Status* status) {
  if (!are_any(1, request)) return others.Wait(request, status);
  complete(*request, status);
  return MPI_SUCCESS;
}

int waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!are_any(count, requests)) return others.Waitall(count, requests, statuses);
  for (int i = 0; i < count; ++i)
    if (has_null_partner(requests[i])) complete(requests[i], nth(statuses, i));
  Rest rest(count, requests, statuses);
  return others.Waitall(rest.count(), rest.requests(), rest.statuses());
}

int waitany(int count, MPI_Request requests[], int* which, MPI_Status* status) {
  if (which == nullptr || !are_any(count, requests)) return others.Waitany(count, requests, which, status);
  *which = first_active(count, requests);
  if (*which != MPI_UNDEFINED) return wait(&requests[*which], status);
  Rest rest(count, requests, MPI_STATUSES_IGNORE);
  const int result = others.Waitany(rest.count(), rest.requests(), which, status);
  *which = rest.place(*which);
  return result;
}

template <auto Some>
int complete_some_of(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  if (done == nullptr || indices == nullptr || !are_any(count, requests))
    return (others.*Some)(count, requests, done, indices, statuses);
  *done = complete_some(count, requests, indices, statuses);
  if (*done > 0) return MPI_SUCCESS;
  Rest rest(count, requests, MPI_STATUSES_IGNORE);
  const int result = (others.*Some)(rest.count(), rest.requests(), done, indices, statuses);
  for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i) indices[i] = rest.place(indices[i]);
  return result;
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (flag == nullptr || !are_any(1, request)) return others.Test(request, flag, status);
  *flag = 1;
  return wait(request, status);
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  if (flag == nullptr || !are_any(count, requests)) return others.Testall(count, requests, flag, statuses);
  int result = MPI_SUCCESS;
  {
    Rest rest(count, requests, statuses);
    *flag = 1;
    if (rest.count() > 0) result = others.Testall(rest.count(), rest.requests(), flag, rest.statuses());
  }
  for (int i = 0; *flag != 0 && i < count; ++i)
    if (has_null_partner(requests[i])) complete(requests[i], nth(statuses, i));
  return result;
}

int testany(int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status) {
  if (which == nullptr || flag == nullptr || !are_any(count, requests))
    return others.Testany(count, requests, which, flag, status);
  *which = first_active(count, requests);
  if (*which != MPI_UNDEFINED) return test(&requests[*which], flag, status);
  Rest rest(count, requests, MPI_STATUSES_IGNORE);
  const int result = others.Testany(rest.count(), rest.requests(), which, flag, status);
  *which = rest.place(*which);
  return result;
}

int cancel(MPI_Request* request) { return are_any(1, request) ? MPI_SUCCESS : others.Cancel(request); }

/// SMPI 3.32 deletes a freed request at once, even if its message is under way. Therefore freed requests that are not
/// persistent wait for MPI_Finalize.
int request_free(MPI_Request* request) {
  const RankState* self = rank_table().caller();
  if (request == nullptr || *request == MPI_REQUEST_NULL || self == nullptr) return others.Request_free(request);
  requests_of_nobody().erase(*request);
  if (free_at_once().erase(*request) > 0) return others.Request_free(request);
  freed()[self->rank].push_back(std::exchange(*request, MPI_REQUEST_NULL));
  return MPI_SUCCESS;
}

int finalize() {
  if (const RankState* self = rank_table().caller(); self != nullptr)
    for (MPI_Request request : std::exchange(freed()[self->rank], {})) others.Wait(&request, MPI_STATUS_IGNORE);
  return others.Finalize();
}

int request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  if (flag == nullptr || !has_null_partner(request)) return others.Request_get_status(request, flag, status);
  *flag = 1;
  fill(status, is_active_null_partner(request));
  return MPI_SUCCESS;
}

} // namespace

void add(MpiTable& table) {
  others = table;
  table.Send_init = init<&MpiTable::Send_init, const void>;
  table.Ssend_init = init<&MpiTable::Ssend_init, const void>;
  table.Bsend_init = init<&MpiTable::Bsend_init, const void>;
  table.Rsend_init = init<&MpiTable::Rsend_init, const void>;
  table.Recv_init = init<&MpiTable::Recv_init, void>;
  table.Start = start;
  table.Startall = startall;
  table.Wait = wait;
  table.Waitall = waitall;
  table.Waitany = waitany;
  table.Waitsome = complete_some_of<&MpiTable::Waitsome>;
  table.Test = test;
  table.Testall = testall;
  table.Testany = testany;
  table.Testsome = complete_some_of<&MpiTable::Testsome>;
  table.Cancel = cancel;
  table.Request_free = request_free;
  table.Request_get_status = request_get_status;
  table.Finalize = finalize;
}

} // namespace null_partners

void may_be_freed_at_once(MPI_Request request) { null_partners::free_at_once().insert(request); }

bool has_null_partner(MPI_Request request) { return null_partners::requests_of_nobody().contains(request); }

bool is_active_null_partner(MPI_Request request) {
  const auto own = null_partners::requests_of_nobody().find(request);
  return own != null_partners::requests_of_nobody().end() && own->second;
}

void add_null_partners(MpiTable& table) { null_partners::add(table); }

} // namespace hypermon
