// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/io_request.hpp"

namespace hypermon::mpiio {

void IoRequest::complete() {
  is_complete = true;
  if (waiting_) waiting_->release();
  if (is_freed) io_requests().drop(*this);
}

void IoRequest::wait() {
  if (is_complete) return;
  waiting_ = simgrid::s4u::Semaphore::create(0);
  waiting_->acquire();
}

IoRequest& IoRequests::make() {
  auto made = std::make_unique<IoRequest>();
  IoRequest& request = *made;
  all_.emplace(&request, std::move(made));
  return request;
}

IoRequest* IoRequests::find(MPI_Request request) const {
  const auto found = all_.find(reinterpret_cast<const IoRequest*>(request));
  return found == all_.end() ? nullptr : found->second.get();
}

void IoRequests::drop(const IoRequest& request) {
  by_number_.erase(request.number);
  all_.erase(&request);
}

MPI_Fint IoRequests::number_of(IoRequest& request) {
  if (request.number == 0) by_number_[request.number = ++last_number_] = &request;
  return request.number;
}

IoRequest* IoRequests::find_number(MPI_Fint number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

IoRequests& io_requests() {
  static IoRequests all;
  return all;
}

} // namespace hypermon::mpiio
