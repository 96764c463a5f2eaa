// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/script_call.hpp"

#include <algorithm>

namespace hypermon {

void ScriptRecorder::Call::made(Operation operation) {
  Action a;
  a.operation = operation;
  const MPI_Comm comm = call_.new_comm().value_or(MPI_COMM_NULL);
  if (!in_comm(a)) return;
  std::vector<int> members;
  const std::uint16_t number = new_number(own_.free_comms, own_.next_comm);
  a.request = number;
  if (comm != MPI_COMM_NULL) {
    members = world_ranks(comm);
    own_.comms[comm] = number;
  } else {
    own_.free_comms.push_back(number);
  }
  if (operation == Operation::comm_split) { // colour and key that give the same communicator
    const auto me = std::find(members.begin(), members.end(), rank_.rank);
    a.peer = members.empty() ? Action::no_color : *std::min_element(members.begin(), members.end());
    a.tag = static_cast<std::int32_t>(me - members.begin());
  } else if (operation == Operation::comm_create) {
    const auto all = world_ranks(call_.comm());
    std::vector<std::int64_t> ranks;
    for (const int member : members) ranks.push_back(std::find(all.begin(), all.end(), member) - all.begin());
    a.list = script_.add_list(ranks);
  }
  add(a);
}

void ScriptRecorder::Call::freed() {
  Action a;
  a.operation = Operation::comm_free;
  if (!in_comm(a)) return;
  own_.free_comms.push_back(a.communicator);
  own_.comms.erase(call_.comm());
  add(a);
}

} // namespace hypermon
