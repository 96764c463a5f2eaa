// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/script_call.hpp"

#include <stdexcept>

namespace hypermon {

void ScriptRecorder::Call::lost(const std::string& what) {
  auto& [count, first] = script_.lost_[std::string(call_.name()) + ": " + what];
  if (count++ == 0) {
    script_.lost_kinds_.push_back(std::string(call_.name()) + ": " + what);
    first = "rank " + std::to_string(rank_.rank) + ", call " + std::to_string(own_.calls);
  }
}

bool ScriptRecorder::Call::in_comm(Action& a) {
  if (call_.comm() == MPI_COMM_WORLD) return true;
  if (call_.comm() == MPI_COMM_SELF) {
    a.communicator = Action::self;
    return true;
  }
  const auto found = own_.comms.find(call_.comm());
  if (found == own_.comms.end()) {
    lost("left out, in a communicator that the script does not have");
    return false;
  }
  a.communicator = found->second;
  return true;
}

void ScriptRecorder::Call::simple(Operation operation, std::int64_t size) {
  Action a;
  a.operation = operation;
  a.size = size;
  add(a);
}

void ScriptRecorder::Call::write() {
  using F = MpiFunction;
  using O = Operation;
  const MpiPart& out = call_.sent();
  const MpiPart& in = call_.received();
  const F f = call_.function();
  const ScriptUse use = script_use(f);
  if (use.lossy) lost(use.says);
  if (!use.writes) return;
  if (f >= F::Ibarrier && f <= F::Ialltoallw) as_blocking();
  switch (f) {
  case F::Bsend:
    return buffered(out);
  case F::Rsend:
  case F::Send:
    return message(O::send, out);
  case F::Ssend:
    return message(O::ssend, out);
  case F::Recv:
    return message(O::recv, in);
  case F::Ibsend:
  case F::Irsend:
  case F::Isend:
    return start(O::isend, out);
  case F::Issend:
    return start(O::issend, out);
  case F::Irecv:
    return start(O::irecv, in);
  case F::Send_init:
  case F::Bsend_init:
  case F::Rsend_init:
    return prepare(O::isend, out);
  case F::Ssend_init:
    return prepare(O::issend, out);
  case F::Recv_init:
    return prepare(O::irecv, in);
  case F::Start:
  case F::Startall:
    return start_persistent();
  case F::Request_free:
    return free_request();
  case F::Sendrecv:
  case F::Sendrecv_replace:
    message(O::sendrecv, out);
    return message(O::sendrecv_in, in);
  case F::Probe:
    return message(O::probe, in);
  case F::Iprobe:
    return probed(in);
  case F::Wait:
    return completed_ones(O::wait);
  case F::Waitall:
    return completed_ones(O::waitall);
  case F::Waitany:
    return completed_ones(O::waitany);
  case F::Test:
    return completed_ones(O::test);
  case F::Waitsome:
  case F::Testall:
  case F::Testany:
  case F::Testsome:
    return waits();
  case F::Barrier:
  case F::Ibarrier:
    return collective(O::barrier, out);
  case F::Bcast:
  case F::Ibcast:
    return collective(O::bcast, out);
  case F::Reduce:
  case F::Ireduce:
    return collective(O::reduce, out);
  case F::Allreduce:
  case F::Iallreduce:
    return collective(O::allreduce, out);
  case F::Scan:
  case F::Iscan:
    return collective(O::scan, out);
  case F::Exscan:
  case F::Iexscan:
    return collective(O::exscan, out);
  case F::Gather:
  case F::Igather:
    return collective(O::gather, out, in);
  case F::Allgather:
  case F::Iallgather:
    return collective(O::allgather, out, in);
  case F::Scatter:
  case F::Iscatter:
    return collective(O::scatter, in, out);
  case F::Alltoall:
  case F::Ialltoall:
    return collective(O::alltoall, MpiPart{}, in);
  case F::Gatherv:
  case F::Igatherv:
    return blocks(O::gatherv, out, {&in});
  case F::Allgatherv:
  case F::Iallgatherv:
    return blocks(O::allgatherv, out, {&in});
  case F::Scatterv:
  case F::Iscatterv:
    return blocks(O::scatterv, in, {&out});
  case F::Reduce_scatter:
  case F::Ireduce_scatter:
  case F::Reduce_scatter_block:
  case F::Ireduce_scatter_block:
    return blocks(O::reduce_scatter, out, {&out});
  case F::Alltoallv:
  case F::Alltoallw:
  case F::Ialltoallv:
  case F::Ialltoallw:
    return blocks(O::alltoallv, in, {call_.in_place() ? &in : &out, &in});
  case F::Comm_dup:
  case F::Comm_dup_with_info:
    return made(O::comm_dup);
  case F::Comm_split:
  case F::Comm_split_type:
  case F::Cart_sub:
    return made(O::comm_split);
  case F::Comm_create:
  case F::Comm_create_group:
  case F::Cart_create:
    return made(O::comm_create);
  case F::Comm_free:
  case F::Comm_disconnect:
    return freed();
  case F::Cancel:
    return cancel();
  case F::Wtime:
    return simple(O::wtime);
  case F::Pcontrol:
    return simple(O::pcontrol, rank_.section.is_open ? 1 : 0);
  case F::File_open:
    return opened();
  case F::File_close:
    return closed();
  case F::File_delete:
    return deleted();
  case F::File_set_view:
    return viewed();
  case F::File_set_size:
    return of_file(O::file_set_size);
  case F::File_preallocate:
    return of_file(O::file_preallocate);
  case F::File_set_info:
    return of_file(O::file_set_info);
  case F::File_sync:
    return of_file(O::file_sync);
  case F::File_seek:
    return of_file(O::file_seek);
  case F::File_seek_shared:
    return of_file(O::file_seek_shared);
  case F::File_read:
    return accessed(O::read);
  case F::File_read_at:
    return accessed(O::read_at);
  case F::File_read_all:
  case F::File_read_all_begin:
    return accessed(O::read_all);
  case F::File_read_at_all:
  case F::File_read_at_all_begin:
    return accessed(O::read_at_all);
  case F::File_read_shared:
    return accessed(O::read_shared);
  case F::File_read_ordered:
  case F::File_read_ordered_begin:
    return accessed(O::read_ordered);
  case F::File_iread:
    return accessed(O::iread);
  case F::File_iread_at:
    return accessed(O::iread_at);
  case F::File_iread_all:
    return accessed(O::iread_all);
  case F::File_iread_at_all:
    return accessed(O::iread_at_all);
  case F::File_iread_shared:
    return accessed(O::iread_shared);
  case F::File_write:
    return accessed(O::write);
  case F::File_write_at:
    return accessed(O::write_at);
  case F::File_write_all:
  case F::File_write_all_begin:
    return accessed(O::write_all);
  case F::File_write_at_all:
  case F::File_write_at_all_begin:
    return accessed(O::write_at_all);
  case F::File_write_shared:
    return accessed(O::write_shared);
  case F::File_write_ordered:
  case F::File_write_ordered_begin:
    return accessed(O::write_ordered);
  case F::File_iwrite:
    return accessed(O::iwrite);
  case F::File_iwrite_at:
    return accessed(O::iwrite_at);
  case F::File_iwrite_all:
    return accessed(O::iwrite_all);
  case F::File_iwrite_at_all:
    return accessed(O::iwrite_at_all);
  case F::File_iwrite_shared:
    return accessed(O::iwrite_shared);
  default:
    throw std::logic_error(std::string(call_.name()) + ": the recorder of scripts does not know it");
  }
}

} // namespace hypermon
