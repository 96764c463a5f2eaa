// SPDX-License-Identifier: BSD-3-Clause
// Calls that wait for or test several requests, for MPI libraries beside SMPI: the library knows some of a program's
// requests, SMPI knows the others.
#pragma once
#include "sw/mpi/interface.hpp"
#include "sw/mpi/null_partners.hpp"
#include "sw/os/ranks.hpp"

#include <algorithm>
#include <vector>

namespace hypermon {

/// The i-th status; MPI_STATUS_IGNORE if the program ignores statuses.
inline MPI_Status* nth(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/// State of a request for a library; `smpis`: the request belongs to SMPI.
enum class Progress : std::uint8_t { inactive, smpis, under_way, done };

/// True if the request is null, or persistent and not started. `persistent`: the library's persistent requests.
template <class Persistent> bool is_inactive(const Persistent& persistent, MPI_Request request) {
  return request == MPI_REQUEST_NULL || persistent.contains(request) ||
         (has_null_partner(request) && !is_active_null_partner(request));
}

/// `Library` has static functions, all called in the rank's actor:
///   Progress progress(self, request);
///   int take(self, request*, status*): takes a complete request of the library; takes no time;
///   void begin_wait(self), void end_wait(self): costs before and after a waiting call;
///   int wait_any(self, count, requests, status, result&): waits for one request, takes it, returns its index;
///   void poll(self): costs of a test.
/// It also has bool inactive_are_smpis: if no request is active, MPI_Testall goes to SMPI.
template <class Library> struct CompletionCalls {
  static bool all_inactive(const RankState& self, int count, const MPI_Request requests[]) {
    return count <= 0 || requests == nullptr || std::all_of(requests, requests + count, [&](MPI_Request r) {
             return Library::progress(self, r) == Progress::inactive;
           });
  }

  /// If the request is complete, takes it and returns true.
  static bool test_one(RankState& self, MPI_Request* request, MPI_Status* status, int& result) {
    switch (Library::progress(self, *request)) {
    case Progress::done:
      result = Library::take(self, request, status);
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

  /// Appends all complete requests.
  static int test_more(RankState& self, int count, MPI_Request requests[], int* done, int indices[],
                       MPI_Status statuses[]) {
    int result = MPI_SUCCESS;
    for (int i = 0; i < count; ++i) {
      int status = MPI_SUCCESS;
      if (!test_one(self, &requests[i], nth(statuses, *done), status)) continue;
      if (status != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
      indices[(*done)++] = i;
    }
    return result;
  }

  static int waitany(int count, MPI_Request requests[], int* which, MPI_Status* status) {
    RankState& self = rank_table().self();
    if (which == nullptr || all_inactive(self, count, requests)) return smpi().Waitany(count, requests, which, status);
    Library::begin_wait(self);
    int result = MPI_SUCCESS;
    *which = Library::wait_any(self, count, requests, status, result);
    Library::end_wait(self);
    return result;
  }

  static int waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
    RankState& self = rank_table().self();
    if (done == nullptr || all_inactive(self, count, requests))
      return smpi().Waitsome(count, requests, done, indices, statuses);
    Library::begin_wait(self);
    int result = MPI_SUCCESS;
    indices[0] = Library::wait_any(self, count, requests, nth(statuses, 0), result);
    *done = 1;
    if (result != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
    const int more = test_more(self, count, requests, done, indices, statuses);
    Library::end_wait(self);
    return result == MPI_SUCCESS ? more : result;
  }

  static int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    RankState& self = rank_table().self();
    if (count < 0 || requests == nullptr || flag == nullptr ||
        (Library::inactive_are_smpis && all_inactive(self, count, requests)))
      return smpi().Testall(count, requests, flag, statuses);
    Library::poll(self);
    *flag = 0;
    std::vector<int> theirs; // SMPI's requests
    std::vector<MPI_Request> their_requests;
    for (int i = 0; i < count; ++i) {
      const Progress known = Library::progress(self, requests[i]);
      if (known == Progress::under_way) return MPI_SUCCESS;
      if (known != Progress::smpis) continue;
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
      if (std::find(theirs.begin(), theirs.end(), i) == theirs.end() &&
          Library::take(self, &requests[i], nth(statuses, i)) != MPI_SUCCESS)
        result = MPI_ERR_IN_STATUS;
    return result;
  }

  static int testany(int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status) {
    RankState& self = rank_table().self();
    if (which == nullptr || flag == nullptr || all_inactive(self, count, requests))
      return smpi().Testany(count, requests, which, flag, status);
    Library::poll(self);
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

  static int testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
    RankState& self = rank_table().self();
    if (done == nullptr || all_inactive(self, count, requests))
      return smpi().Testsome(count, requests, done, indices, statuses);
    Library::poll(self);
    *done = 0;
    return test_more(self, count, requests, done, indices, statuses);
  }

  static void add(MpiTable& table) {
    table.Waitany = waitany;
    table.Waitsome = waitsome;
    table.Testall = testall;
    table.Testany = testany;
    table.Testsome = testsome;
  }
};

} // namespace hypermon
