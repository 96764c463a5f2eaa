// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/script_call.hpp"

#include <algorithm>

namespace hypermon {

void ScriptRecorder::Call::collective(Operation operation, const MpiPart& part, const MpiPart& other) {
  Action a = new_action(operation, part);
  if (part.type_bytes == 0 && other.type_bytes > 0) {
    a.element = element_of(other);
    a.size = other.bytes / std::max(call_.comm_size(), 1);
  }
  if (call_.root()) a.peer = *call_.root();
  if (in_comm(a)) add(a);
}

void ScriptRecorder::Call::blocks(Operation operation, const MpiPart& part,
                                  std::initializer_list<const MpiPart*> lists) {
  Action a = new_action(operation, part);
  std::vector<std::int64_t> items;
  for (const MpiPart* list : lists) {
    if (list->type_bytes > 0 && part.type_bytes == 0) a.element = element_of(*list);
    if (list->type_bytes > 0 && part.type_bytes > 0 && list->type_bytes != part.type_bytes) a.element = 1;
  }
  for (const MpiPart* list : lists)
    for (const auto bytes : list->bytes_by_rank) items.push_back(bytes / a.element);
  if (call_.root()) a.peer = *call_.root();
  if (!in_comm(a)) return;
  a.list = script_.add_list(items);
  add(a);
}

} // namespace hypermon
