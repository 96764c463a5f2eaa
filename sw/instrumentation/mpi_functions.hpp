// The MPI functions that can be observed call by call: the points mpi.<name>.enter and mpi.<name>.leave of the event
// catalogues (points.hpp). A function's number, the datum `function` of its points, is its place in this list.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The program's frame; point to point; persistent; completion; collective; non-blocking collective; communicators;
// one-sided; time. New ones go to the end: the numbers are in recordings.
// clang-format off
#define HYPERMON_MPI_FUNCTIONS(X) \
  X(Init) X(Init_thread) X(Finalize) X(Abort) \
  X(Send) X(Bsend) X(Ssend) X(Rsend) X(Recv) X(Isend) X(Ibsend) X(Issend) X(Irsend) X(Irecv) X(Sendrecv) \
  X(Sendrecv_replace) X(Probe) X(Iprobe) \
  X(Send_init) X(Ssend_init) X(Recv_init) X(Start) X(Startall) \
  X(Wait) X(Waitall) X(Waitany) X(Waitsome) X(Test) X(Testall) X(Testany) X(Testsome) X(Cancel) X(Request_free) \
  X(Barrier) X(Bcast) X(Reduce) X(Allreduce) X(Gather) X(Gatherv) X(Allgather) X(Allgatherv) X(Scatter) X(Scatterv) \
  X(Alltoall) X(Alltoallv) X(Alltoallw) X(Reduce_scatter) X(Reduce_scatter_block) X(Scan) X(Exscan) \
  X(Ibarrier) X(Ibcast) X(Ireduce) X(Iallreduce) X(Igather) X(Igatherv) X(Iallgather) X(Iallgatherv) X(Iscatter) \
  X(Iscatterv) X(Ialltoall) X(Ialltoallv) X(Ialltoallw) X(Ireduce_scatter) X(Iscan) X(Iexscan) \
  X(Comm_dup) X(Comm_split) X(Comm_create) X(Comm_free) X(Cart_create) \
  X(Win_create) X(Win_free) X(Win_fence) X(Win_lock) X(Win_unlock) X(Put) X(Get) X(Accumulate) \
  X(Wtime)
// clang-format on

namespace hypermon {

enum class MpiFunction : std::uint8_t {
#define HYPERMON_X(name) name,
  HYPERMON_MPI_FUNCTIONS(HYPERMON_X)
#undef HYPERMON_X
};

inline constexpr auto mpi_function_names = std::to_array<std::string_view>({
#define HYPERMON_X(name) "MPI_" #name,
    HYPERMON_MPI_FUNCTIONS(HYPERMON_X)
#undef HYPERMON_X
});

constexpr std::size_t index(MpiFunction function) { return static_cast<std::size_t>(function); }
constexpr std::string_view name(MpiFunction function) { return mpi_function_names[index(function)]; }

} // namespace hypermon
