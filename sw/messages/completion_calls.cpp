// SPDX-License-Identifier: BSD-3-Clause
// Waits for requests and tests of them: a step each. SMPI knows those of calls that are its own (one-sided ones).
#include "sw/messages/library.hpp"
#include "sw/mpi/null_partners.hpp"

#include <algorithm>
#include <vector>

namespace hypermon::messages {
namespace {

MPI_Status* nth(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

enum class Progress : std::uint8_t { inactive, smpis, under_way, done };

Progress progress(const Books& books, MPI_Request request) {
  if (const auto own = books.active.find(request); own != books.active.end())
    return own->second->done ? Progress::done : Progress::under_way;
  const bool is_inactive = request == MPI_REQUEST_NULL || books.persistent.contains(request) ||
                           (has_null_partner(request) && !is_active_null_partner(request));
  return is_inactive ? Progress::inactive : Progress::smpis;
}

bool has(const Books& books, int count, const MPI_Request requests[], Progress wanted) {
  return std::any_of(requests, requests + count, [&](MPI_Request r) { return progress(books, r) == wanted; });
}

/// Nothing to wait for, or arguments to refuse: SMPI's.
bool all_inactive(const Books& books, int count, const MPI_Request requests[]) {
  return count <= 0 || requests == nullptr || std::all_of(requests, requests + count, [&](MPI_Request r) {
           return progress(books, r) == Progress::inactive;
         });
}

/// Completes one that is done.
int take(RankState& self, MPI_Request* request, MPI_Status* status) {
  Books& books = library().books(self);
  const auto own = books.active.extract(*request);
  const int result = taken(*own.mapped(), status);
  if (!books.persistent.contains(*request)) smpi().Request_free(request);
  return result;
}

/// Is the request complete? Then takes it.
bool test_one(RankState& self, MPI_Request* request, MPI_Status* status, int& result) {
  switch (progress(library().books(self), *request)) {
  case Progress::done:
    result = take(self, request, status);
    return true;
  case Progress::smpis: {
    int flag = 0;
    result = smpi().Test(request, &flag, status);
    return flag != 0;
  }
  default:
    return false;
  }
}

/// Blocks until one is complete, and takes it; which. SMPI has no way to wait for its and ours together.
int wait_any(RankState& self, int count, MPI_Request requests[], MPI_Status* status, int& result) {
  constexpr Time look_again = 1_us; // (chosen)
  for (;;) {
    for (int i = 0; i < count; ++i)
      if (test_one(self, &requests[i], status, result)) return i;
    const Books& books = library().books(self);
    if (has(books, count, requests, Progress::smpis))
      execution().sleep_until(simgrid_now() + look_again);
    else
      library().await(self, {"MPI_Waitany"}, [&] { return has(books, count, requests, Progress::done); });
  }
}

int call_wait(MPI_Request* request, MPI_Status* status) {
  RankState& self = rank_table().self();
  Books& books = library().books(self);
  if (request == nullptr || !books.active.contains(*request)) {
    const Waiting waiting(self, {"MPI_Wait"});
    return smpi().Wait(request, status);
  }
  library().step(self);
  const RequestPtr own = books.active.at(*request);
  library().await(self, {"MPI_Wait"}, [&] { return own->done; });
  return take(self, request, status);
}

int call_waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  RankState& self = rank_table().self();
  Books& books = library().books(self);
  if (count < 0 || requests == nullptr || all_inactive(books, count, requests))
    return smpi().Waitall(count, requests, statuses);
  library().step(self);
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    const auto own = books.active.find(requests[i]);
    int status = MPI_SUCCESS;
    if (own == books.active.end()) {
      const Waiting waiting(self, {"MPI_Waitall"});
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

int call_waitany(int count, MPI_Request requests[], int* which, MPI_Status* status) {
  RankState& self = rank_table().self();
  if (which == nullptr || all_inactive(library().books(self), count, requests))
    return smpi().Waitany(count, requests, which, status);
  library().step(self);
  int result = MPI_SUCCESS;
  *which = wait_any(self, count, requests, status, result);
  return result;
}

/// Appends all that are complete.
int test_more(RankState& self, int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    int status = MPI_SUCCESS;
    if (!test_one(self, &requests[i], nth(statuses, *done), status)) continue;
    if (status != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
    indices[(*done)++] = i;
  }
  return result;
}

int call_waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  RankState& self = rank_table().self();
  if (done == nullptr || all_inactive(library().books(self), count, requests))
    return smpi().Waitsome(count, requests, done, indices, statuses);
  library().step(self);
  int result = MPI_SUCCESS;
  indices[0] = wait_any(self, count, requests, nth(statuses, 0), result);
  *done = 1;
  if (result != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
  const int more = test_more(self, count, requests, done, indices, statuses);
  return result == MPI_SUCCESS ? more : result;
}

int call_test(MPI_Request* request, int* flag, MPI_Status* status) {
  RankState& self = rank_table().self();
  if (request == nullptr || flag == nullptr || !library().books(self).active.contains(*request))
    return smpi().Test(request, flag, status);
  library().poll(self);
  int result = MPI_SUCCESS;
  *flag = test_one(self, request, status, result) ? 1 : 0;
  return result;
}

int call_testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  RankState& self = rank_table().self();
  Books& books = library().books(self);
  if (count < 0 || requests == nullptr || flag == nullptr || all_inactive(books, count, requests))
    return smpi().Testall(count, requests, flag, statuses);
  library().poll(self);
  *flag = 0;
  if (has(books, count, requests, Progress::under_way)) return MPI_SUCCESS;
  std::vector<int> theirs;
  std::vector<MPI_Request> their_requests;
  for (int i = 0; i < count; ++i)
    if (progress(books, requests[i]) == Progress::smpis) {
      theirs.push_back(i);
      their_requests.push_back(requests[i]);
    }
  std::vector<MPI_Status> their_statuses(theirs.size());
  int result = MPI_SUCCESS;
  *flag = 1;
  if (!theirs.empty())
    result = smpi().Testall(static_cast<int>(theirs.size()), their_requests.data(), flag, their_statuses.data());
  for (std::size_t t = 0; t < theirs.size(); ++t) {
    requests[theirs[t]] = their_requests[t];
    if (statuses != MPI_STATUSES_IGNORE) statuses[theirs[t]] = their_statuses[t];
  }
  if (*flag == 0) return result;
  for (int i = 0; i < count; ++i)
    if (books.active.contains(requests[i]) && take(self, &requests[i], nth(statuses, i)) != MPI_SUCCESS)
      result = MPI_ERR_IN_STATUS;
  return result;
}

int call_testany(int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status) {
  RankState& self = rank_table().self();
  if (which == nullptr || flag == nullptr || all_inactive(library().books(self), count, requests))
    return smpi().Testany(count, requests, which, flag, status);
  library().poll(self);
  int result = MPI_SUCCESS;
  *flag = 0;
  *which = MPI_UNDEFINED;
  for (int i = 0; i < count && *flag == 0; ++i)
    if (test_one(self, &requests[i], status, result)) {
      *flag = 1;
      *which = i;
    }
  return result;
}

int call_testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  RankState& self = rank_table().self();
  if (done == nullptr || all_inactive(library().books(self), count, requests))
    return smpi().Testsome(count, requests, done, indices, statuses);
  library().poll(self);
  *done = 0;
  return test_more(self, count, requests, done, indices, statuses);
}

int call_request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  RankState& self = rank_table().self();
  const Books& books = library().books(self);
  const auto own = books.active.find(request);
  if (flag == nullptr || own == books.active.end()) return smpi().Request_get_status(request, flag, status);
  library().poll(self);
  *flag = own->second->done ? 1 : 0;
  if (*flag != 0 && status != MPI_STATUS_IGNORE && own->second->tell) own->second->tell(*status);
  return MPI_SUCCESS;
}

} // namespace

void add_completion_calls(MpiTable& table) {
  table.Wait = call_wait;
  table.Waitall = call_waitall;
  table.Waitany = call_waitany;
  table.Waitsome = call_waitsome;
  table.Test = call_test;
  table.Testall = call_testall;
  table.Testany = call_testany;
  table.Testsome = call_testsome;
  table.Request_get_status = call_request_get_status;
}

} // namespace hypermon::messages
