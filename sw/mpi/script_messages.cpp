// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/script_call.hpp"

namespace hypermon {
namespace {
std::int32_t peer_of(int peer) {
  if (peer == MPI_ANY_SOURCE) return Action::any;
  return peer == MPI_PROC_NULL ? Action::nobody : peer;
}
std::int32_t tag_of(int tag) { return tag == MPI_ANY_TAG ? Action::any : tag; }
} // namespace

Action ScriptRecorder::Call::new_action(Operation operation, const MpiPart& part) {
  Action a;
  a.operation = operation;
  a.element = element_of(part);
  a.size = part.bytes;
  if (part.peer) a.peer = peer_of(*part.peer);
  if (part.tag) a.tag = tag_of(*part.tag);
  return a;
}

void ScriptRecorder::Call::message(Operation operation, const MpiPart& part) {
  Action a = new_action(operation, part);
  if (in_comm(a)) add(a);
}

void ScriptRecorder::Call::start(Operation operation, const MpiPart& part) {
  Action a = new_action(operation, part);
  if (in_comm(a))
    a.request = new_request();
  else
    a.request = unsaid;
  own_.requests[*call_.new_request()] = a.request;
  if (a.request != unsaid) add(a);
}

void ScriptRecorder::Call::buffered(const MpiPart& part) {
  Action a = new_action(Operation::isend, part);
  if (!in_comm(a)) return;
  a.request = new_request();
  add(a);
}

void ScriptRecorder::Call::prepare(Operation operation, const MpiPart& part) {
  Action a = new_action(operation, part);
  if (!in_comm(a)) return;
  a.request = new_request();
  own_.persistent[*call_.new_request()] = a;
}

void ScriptRecorder::Call::probed(const MpiPart& part) {
  Action a = new_action(Operation::iprobe, part);
  a.size = call_.completed().empty() ? 0 : 1;
  if (in_comm(a)) add(a);
}

} // namespace hypermon
