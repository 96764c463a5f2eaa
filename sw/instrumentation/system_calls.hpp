// SPDX-License-Identifier: BSD-3-Clause
// NX/2's system calls, which replace the program's MPI calls (sw/nx2/calls.cpp). They are the argument of syscall_entry
// and syscall_exit.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hypermon {

enum class SystemCall : std::uint32_t { csend = 1, crecv, isend, irecv, msgwait, iprobe, cprobe, mclock };

struct SystemCallInfo {
  SystemCall call;
  std::string_view name;
  std::string_view mpi; ///< the MPI call that makes it
};

inline constexpr std::array<SystemCallInfo, 8> system_calls{{
    {SystemCall::csend, "csend", "MPI_Send"},
    {SystemCall::crecv, "crecv", "MPI_Recv"},
    {SystemCall::isend, "isend", "MPI_Isend"},
    {SystemCall::irecv, "irecv", "MPI_Irecv"},
    {SystemCall::msgwait, "msgwait", "MPI_Wait"},
    {SystemCall::iprobe, "iprobe", "MPI_Iprobe"},
    {SystemCall::cprobe, "cprobe", "MPI_Probe"},
    {SystemCall::mclock, "mclock", "MPI_Wtime"},
}};

} // namespace hypermon
