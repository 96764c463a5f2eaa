// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/script_recorder.hpp"

namespace hypermon {
namespace {

ScriptUse use_of_file_call(MpiFunction f) {
  using F = MpiFunction;
  switch (f) {
  case F::File_read_at_all_begin:
  case F::File_write_at_all_begin:
  case F::File_read_all_begin:
  case F::File_write_all_begin:
  case F::File_read_ordered_begin:
  case F::File_write_ordered_begin:
    return {true, "as the blocking call, at the point where it begins", true};
  case F::File_set_atomicity:
    return {false, "left out", true};
  case F::File_open:
  case F::File_close:
  case F::File_delete:
  case F::File_set_size:
  case F::File_preallocate:
  case F::File_set_info:
  case F::File_set_view:
  case F::File_sync:
  case F::File_seek:
  case F::File_seek_shared:
    return {true, "yes"};
  case F::File_get_position:
  case F::File_get_byte_offset:
  case F::File_get_position_shared:
    return {false, ""};
  default: // accesses have adjacent numbers
    if (f >= F::File_read_at && f <= F::File_write_ordered) return {true, "yes"};
    return {false, ""};
  }
}

} // namespace

ScriptUse script_use(MpiFunction f) {
  using F = MpiFunction;
  if (f >= F::Ibarrier && f <= F::Ialltoallw) return {true, "as the blocking call, at the point where it begins", true};
  if (f >= F::Win_create && f < F::Init) return {false, "left out", true};
  if (f >= F::File_open) return use_of_file_call(f);
  switch (f) {
  case F::Bsend:
    return {true, "as an MPI_Isend without a wait", true};
  case F::Rsend:
    return {true, "as MPI_Send", true};
  case F::Ibsend:
  case F::Irsend:
    return {true, "as MPI_Isend", true};
  case F::Waitsome:
  case F::Testall:
  case F::Testany:
  case F::Testsome:
    return {true, "as waits for the completed requests", true};
  case F::Mprobe:
  case F::Improbe:
  case F::Mrecv:
  case F::Imrecv:
  case F::Request_get_status:
    return {false, "left out", true};
  case F::Comm_dup:
  case F::Comm_dup_with_info:
  case F::Comm_split:
  case F::Comm_split_type:
  case F::Comm_create:
  case F::Comm_create_group:
  case F::Comm_free:
  case F::Comm_disconnect:
  case F::Cart_create:
  case F::Cart_sub:
  case F::Wtime:
  case F::Pcontrol:
    return {true, "yes"};
  default: // the remaining functions query what the rank knows already
    return f < F::Reduce_local ? ScriptUse{true, "yes"} : ScriptUse{false, ""};
  }
}

} // namespace hypermon
