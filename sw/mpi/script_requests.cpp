// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/script_call.hpp"

namespace hypermon {

void ScriptRecorder::Call::start_persistent() {
  for (const MPI_Request request : call_.requests())
    if (const auto found = own_.persistent.find(request); found != own_.persistent.end()) {
      own_.requests[request] = found->second.request;
      add(found->second);
    }
}

void ScriptRecorder::Call::cancel() {
  Action a;
  a.operation = Operation::cancel;
  a.request = number(0);
  if (a.request != unsaid) add(a);
}

void ScriptRecorder::Call::free_request() {
  for (const MPI_Request request : call_.requests()) {
    own_.persistent.erase(request);
    own_.requests.erase(request);
  }
}

std::int32_t ScriptRecorder::Call::number(std::size_t index) const {
  const auto found = own_.requests.find(call_.requests()[index]);
  return found == own_.requests.end() ? unsaid : found->second;
}

void ScriptRecorder::Call::finish(std::size_t index) {
  const MPI_Request request = call_.requests()[index];
  const auto found = own_.requests.find(request);
  if (found == own_.requests.end()) return;
  if (found->second != unsaid && !own_.persistent.contains(request)) own_.free_requests.push_back(found->second);
  own_.requests.erase(found);
}

void ScriptRecorder::Call::completed_ones(Operation operation) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < call_.requests().size(); ++i)
    if (number(i) != unsaid) numbers.push_back(number(i));
  Action a;
  a.operation = operation;
  if (operation == Operation::wait || operation == Operation::test) {
    a.request = number(0);
    a.size = call_.completed().empty() ? 0 : 1;
    if (a.request != unsaid || operation == Operation::test) add(a);
  } else {
    if (operation == Operation::waitany && !call_.completed().empty())
      a.request = number(call_.completed().front().index);
    a.list = script_.add_list(numbers);
    add(a);
  }
  for (const auto& done : call_.completed()) finish(done.index);
}

void ScriptRecorder::Call::waits() {
  for (const auto& done : call_.completed()) {
    Action a;
    a.operation = Operation::wait;
    a.request = number(done.index);
    if (a.request != unsaid) add(a);
    finish(done.index);
  }
}

} // namespace hypermon
