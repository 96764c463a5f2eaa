// SPDX-License-Identifier: BSD-3-Clause
// MPI_Wait and related calls with requests of file accesses. Accesses are waited for here, messages by the functions of
// the library that carries them. CompletionCalls is not used, because it tests SMPI's requests one by one: a library
// that models messages charges the node for each call, so this file passes all messages of a call on in one call.
#include "sw/mpi/completion.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpiio/io_request.hpp"
#include "sw/mpiio/library.hpp"

#include <algorithm>

namespace hypermon::mpiio {
namespace {

constexpr auto nothing_active = MPI_UNDEFINED;

/// True if any of the requests is a file access.
bool has_accesses(int count, const MPI_Request* requests) {
  if (io_requests().are_none() || count <= 0 || requests == nullptr) return false;
  return std::any_of(requests, requests + count, [](MPI_Request r) { return io_requests().find(r) != nullptr; });
}

/// Completes the access and sets the program's handle to MPI_REQUEST_NULL.
int take(IoRequest& request, MPI_Request* handle, MPI_Status* status) {
  const int code = request.code;
  say(status, request.bytes);
  io_requests().drop(request);
  *handle = MPI_REQUEST_NULL;
  return code;
}

/// An unsuccessful test of an access takes the time of NX/2's test of a flag, unless a test of messages has already
/// taken time.
class Look {
public:
  void in_vain() const {
    if (simgrid_now() > begin_) return;
    if (mpi_layer().models_messages)
      execution().compute(rank_table().self(), execution().test_cost());
    else
      execution().sleep_until(begin_ + execution().test_cost());
  }

private:
  Time begin_ = simgrid_now();
};

int wait(MPI_Request* request, MPI_Status* status) {
  IoRequest* own = request == nullptr ? nullptr : io_requests().find(*request);
  if (own == nullptr) return library().messages().Wait(request, status);
  own->wait();
  return take(*own, request, status);
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  IoRequest* own = request == nullptr || flag == nullptr ? nullptr : io_requests().find(*request);
  if (own == nullptr) return library().messages().Test(request, flag, status);
  *flag = own->is_complete ? 1 : 0;
  if (*flag != 0) return take(*own, request, status);
  Look().in_vain();
  return MPI_SUCCESS;
}

/// The requests of messages at their positions in the array; those of accesses are replaced by MPI_REQUEST_NULL.
class Others {
public:
  Others(int count, const MPI_Request* requests) : all_(requests, requests + count) {
    for (MPI_Request& r : all_)
      if (io_requests().find(r) != nullptr) r = MPI_REQUEST_NULL;
  }
  bool are_none() const {
    return std::all_of(all_.begin(), all_.end(), [](MPI_Request r) { return r == MPI_REQUEST_NULL; });
  }
  int count() const { return static_cast<int>(all_.size()); }
  MPI_Request* data() { return all_.data(); }
  /// Stores the requests' new values in the program's array.
  void give_back(MPI_Request* requests) const {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (io_requests().find(requests[i]) == nullptr) requests[i] = all_[i];
  }

private:
  std::vector<MPI_Request> all_;
};

int waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!has_accesses(count, requests)) return library().messages().Waitall(count, requests, statuses);
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    const int code = wait(&requests[i], nth(statuses, i));
    if (code != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
    if (statuses != MPI_STATUSES_IGNORE) statuses[i].MPI_ERROR = code;
  }
  return result;
}

/// Index of the first access that is complete.
int complete_one(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    if (const IoRequest* own = io_requests().find(requests[i]); own != nullptr && own->is_complete) return i;
  return nothing_active;
}

int testany(int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status) {
  if (!has_accesses(count, requests) || which == nullptr || flag == nullptr)
    return library().messages().Testany(count, requests, which, flag, status);
  *flag = 1;
  if (*which = complete_one(count, requests); *which != nothing_active)
    return take(*io_requests().find(requests[*which]), &requests[*which], status);
  *flag = 0;
  const Look look;
  int result = MPI_SUCCESS;
  if (Others others(count, requests); !others.are_none()) {
    result = library().messages().Testany(count, others.data(), which, flag, status);
    if (*which == nothing_active) *flag = 0; // an access is active, although no message is
    others.give_back(requests);
  }
  if (*flag == 0) look.in_vain();
  return result;
}

/// Waits if the requests are a single access under way and no message. Otherwise the caller polls them.
void await_single(int count, const MPI_Request* requests) {
  if (!Others(count, requests).are_none()) return;
  IoRequest* only = nullptr;
  for (int i = 0; i < count; ++i) {
    IoRequest* own = io_requests().find(requests[i]);
    if (own == nullptr) continue;
    if (only != nullptr || own->is_complete) return;
    only = own;
  }
  if (only != nullptr) only->wait();
}

int waitany(int count, MPI_Request requests[], int* which, MPI_Status* status) {
  if (!has_accesses(count, requests) || which == nullptr)
    return library().messages().Waitany(count, requests, which, status);
  await_single(count, requests);
  int flag = 0;
  int result = MPI_SUCCESS;
  while (flag == 0 && result == MPI_SUCCESS) result = testany(count, requests, which, &flag, status);
  return result;
}

int testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  if (!has_accesses(count, requests) || done == nullptr)
    return library().messages().Testsome(count, requests, done, indices, statuses);
  int result = MPI_SUCCESS;
  *done = 0;
  const Look look;
  Others others(count, requests);
  if (!others.are_none()) {
    result = library().messages().Testsome(count, others.data(), done, indices, statuses);
    if (*done == MPI_UNDEFINED) *done = 0;
  }
  for (int i = 0; i < count; ++i)
    if (IoRequest* own = io_requests().find(requests[i]); own != nullptr && own->is_complete) {
      indices[*done] = i;
      if (take(*own, &requests[i], nth(statuses, (*done)++)) != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
    }
  others.give_back(requests);
  if (*done == 0) look.in_vain();
  return result;
}

int waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  if (!has_accesses(count, requests) || done == nullptr)
    return library().messages().Waitsome(count, requests, done, indices, statuses);
  await_single(count, requests);
  *done = 0;
  int result = MPI_SUCCESS;
  while (*done == 0 && result == MPI_SUCCESS) result = testsome(count, requests, done, indices, statuses);
  return result;
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  if (!has_accesses(count, requests) || flag == nullptr)
    return library().messages().Testall(count, requests, flag, statuses);
  const auto is_under_way = [](MPI_Request r) {
    const IoRequest* own = io_requests().find(r);
    return own != nullptr && !own->is_complete;
  };
  *flag = 0;
  if (std::any_of(requests, requests + count, is_under_way)) {
    Look().in_vain();
    return MPI_SUCCESS;
  }
  Others others(count, requests);
  *flag = 1;
  int result = MPI_SUCCESS;
  if (!others.are_none()) result = library().messages().Testall(count, others.data(), flag, statuses);
  if (*flag != 0)
    for (int i = 0; i < count; ++i)
      if (IoRequest* own = io_requests().find(requests[i]))
        if (take(*own, &requests[i], nth(statuses, i)) != MPI_SUCCESS) result = MPI_ERR_IN_STATUS;
  others.give_back(requests);
  return result;
}

int start(MPI_Request* request) {
  const bool is_access = request != nullptr && io_requests().find(*request) != nullptr;
  return is_access ? MPI_ERR_REQUEST : library().messages().Start(request);
}

/// An access under way is not cancelled, which MPI allows.
int cancel(MPI_Request* request) {
  const bool is_access = request != nullptr && io_requests().find(*request) != nullptr;
  return is_access ? MPI_SUCCESS : library().messages().Cancel(request);
}

int request_free(MPI_Request* request) {
  IoRequest* own = request == nullptr ? nullptr : io_requests().find(*request);
  if (own == nullptr) return library().messages().Request_free(request);
  own->is_freed = true;
  if (own->is_complete) io_requests().drop(*own);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  const IoRequest* own = io_requests().find(request);
  if (own == nullptr || flag == nullptr) return library().messages().Request_get_status(request, flag, status);
  *flag = own->is_complete ? 1 : 0;
  if (*flag != 0)
    say(status, own->bytes);
  else
    Look().in_vain();
  return MPI_SUCCESS;
}

int comm_free(MPI_Comm* comm) {
  if (comm != nullptr && *comm != MPI_COMM_NULL) library().outlive(*comm);
  return library().messages().Comm_free(comm);
}
int comm_disconnect(MPI_Comm* comm) {
  if (comm != nullptr && *comm != MPI_COMM_NULL) library().outlive(*comm);
  return library().messages().Comm_disconnect(comm);
}

} // namespace

void add_request_calls(MpiTable& table) {
  table.Wait = wait;
  table.Waitall = waitall;
  table.Waitany = waitany;
  table.Waitsome = waitsome;
  table.Test = test;
  table.Testall = testall;
  table.Testany = testany;
  table.Testsome = testsome;
  table.Start = start;
  table.Cancel = cancel;
  table.Request_free = request_free;
  table.Request_get_status = request_get_status;
  table.Comm_free = comm_free;
  table.Comm_disconnect = comm_disconnect;
}

} // namespace hypermon::mpiio
