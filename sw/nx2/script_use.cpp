#include "sw/nx2/script_recorder.hpp"

namespace hypermon {

ScriptUse script_use(MpiFunction f) {
  using F = MpiFunction;
  if (f >= F::Ibarrier && f <= F::Ialltoallw) return {true, "as the call that blocks, where it begins", true};
  if ((f >= F::Win_create && f < F::Init) || f >= F::File_open) return {false, "left out", true};
  switch (f) {
  case F::Bsend:
    return {true, "as an MPI_Isend that nobody waits for", true};
  case F::Rsend:
    return {true, "as MPI_Send", true};
  case F::Ibsend:
  case F::Irsend:
    return {true, "as MPI_Isend", true};
  case F::Waitsome:
  case F::Testall:
  case F::Testany:
  case F::Testsome:
    return {true, "as waits for what it completed", true};
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
  default: // from here on they ask for what the rank knows
    return f < F::Reduce_local ? ScriptUse{true, "yes"} : ScriptUse{false, ""};
  }
}

} // namespace hypermon
