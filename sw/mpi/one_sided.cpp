// SPDX-License-Identifier: BSD-3-Clause
// One-sided operations that read and write atomically, and other functions that observers do not see. SMPI carries them
// out, and they are counted as calls without a model. In SMPI 3.32 the write of MPI_Compare_and_swap is still under way
// when the next operation reads, so several ranks find the old value. Here the operations of all ranks on one target
// are serialized.
#include "sw/mpi/interface.hpp"
#include "sw/mpi/next_definition.hpp"
#include "sw/mpi/null_partners.hpp"
#include "sw/mpi/unmodelled_calls.hpp"
#include "sw/mpi/window_polls.hpp"
#include "sw/mpi/worlds.hpp"
#include "sw/os/ranks.hpp"

#include <simgrid/s4u/Mutex.hpp>

#include <map>
#include <mutex>

namespace hypermon {
namespace {

/// A target process, and the rank that currently accesses its memory.
struct Target {
  simgrid::s4u::MutexPtr lock = simgrid::s4u::Mutex::create();
  const RankState* holder = nullptr;
};

Target& target_of(int rank, MPI_Win window) {
  static std::map<int, Target> all;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  const RankState& self = rank_table().self();
  int process = rank;
  if (PMPI_Win_get_group(window, &group) == MPI_SUCCESS) {
    smpi().Comm_group(world_of(self.program), &world);
    smpi().Group_translate_ranks(group, 1, &rank, world, &process);
    smpi().Group_free(&group);
    smpi().Group_free(&world);
  }
  return all[self.first + process];
}

/// `call` reads and writes the target's window; its writes have arrived when this function returns. SMPI's
/// PMPI_Fetch_and_op calls PMPI_Get_accumulate, so the rank may hold the target already: that inner call is not one of
/// the program's.
template <class Call> int at_once(const char* function, int rank, MPI_Win window, Call&& call) {
  const RankState* self = rank_table().caller();
  if (self == nullptr || window == MPI_WIN_NULL || rank < 0) {
    count_unmodelled_call(function);
    return call();
  }
  Target& target = target_of(rank, window);
  if (target.holder == self) return call();
  count_unmodelled_call(function);
  const std::scoped_lock holding(*target.lock);
  target.holder = self;
  const int status = call();
  if (status == MPI_SUCCESS) smpi().Win_flush(rank, window);
  target.holder = nullptr;
  return status;
}

} // namespace
} // namespace hypermon

using namespace hypermon;

extern "C" int MPI_Compare_and_swap(const void* value, void* expected, void* old, MPI_Datatype type, int target,
                                    MPI_Aint at, MPI_Win window) {
  static const auto real = next_definition<decltype(::PMPI_Compare_and_swap)>("PMPI_Compare_and_swap");
  return at_once("MPI_Compare_and_swap", target, window,
                 [&] { return real(value, expected, old, type, target, at, window); });
}
extern "C" int PMPI_Compare_and_swap(const void*, void*, void*, MPI_Datatype, int, MPI_Aint, MPI_Win)
    __attribute__((alias("MPI_Compare_and_swap")));

extern "C" int MPI_Fetch_and_op(const void* value, void* old, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                                MPI_Win window) {
  static const auto real = next_definition<decltype(::PMPI_Fetch_and_op)>("PMPI_Fetch_and_op");
  return at_once("MPI_Fetch_and_op", target, window, [&] { return real(value, old, type, target, at, op, window); });
}
extern "C" int PMPI_Fetch_and_op(const void*, void*, MPI_Datatype, int, MPI_Aint, MPI_Op, MPI_Win)
    __attribute__((alias("MPI_Fetch_and_op")));

extern "C" int MPI_Get_accumulate(const void* out, int out_count, MPI_Datatype out_type, void* old, int old_count,
                                  MPI_Datatype old_type, int target, MPI_Aint at, int at_count, MPI_Datatype at_type,
                                  MPI_Op op, MPI_Win window) {
  static const auto real = next_definition<decltype(::PMPI_Get_accumulate)>("PMPI_Get_accumulate");
  return at_once("MPI_Get_accumulate", target, window, [&] {
    return real(out, out_count, out_type, old, old_count, old_type, target, at, at_count, at_type, op, window);
  });
}
extern "C" int PMPI_Get_accumulate(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Aint, int,
                                   MPI_Datatype, MPI_Op, MPI_Win) __attribute__((alias("MPI_Get_accumulate")));

#define AROUND(name, parameters, arguments, before, after)                                                             \
  extern "C" int MPI_##name parameters {                                                                               \
    static const auto real = next_definition<decltype(::PMPI_##name)>("PMPI_" #name);                                  \
    before;                                                                                                            \
    const int status = real arguments;                                                                                 \
    after;                                                                                                             \
    return status;                                                                                                     \
  }                                                                                                                    \
  extern "C" int PMPI_##name parameters __attribute__((alias("MPI_" #name)));
#define COUNTED(name, parameters, arguments)                                                                           \
  AROUND(name, parameters, arguments, count_unmodelled_call("MPI_" #name), (void)0)
COUNTED(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window),
        (size, unit, info, comm, base, window))
COUNTED(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* window), (info, comm, window))
#undef COUNTED
#define COUNTED_POLL(name, parameters, arguments)                                                                      \
  AROUND(name, parameters, arguments, count_unmodelled_call("MPI_" #name), take_time_of_window_poll())
COUNTED_POLL(Rget_accumulate,
             (const void* out, int out_count, MPI_Datatype out_type, void* old, int old_count, MPI_Datatype old_type,
              int target, MPI_Aint at, int at_count, MPI_Datatype at_type, MPI_Op op, MPI_Win window,
              MPI_Request* request),
             (out, out_count, out_type, old, old_count, old_type, target, at, at_count, at_type, op, window, request))
COUNTED_POLL(Win_flush_local, (int target, MPI_Win window), (target, window))
COUNTED_POLL(Win_flush_local_all, (MPI_Win window), (window))
#undef COUNTED_POLL
// It communicates nothing, so it is not counted.
AROUND(Win_sync, (MPI_Win window), (window), (void)0, take_time_of_window_poll())
#undef AROUND

extern "C" int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                                  MPI_Grequest_cancel_function* cancel, void* state, MPI_Request* request) {
  static const auto real = next_definition<decltype(::PMPI_Grequest_start)>("PMPI_Grequest_start");
  count_unmodelled_call("MPI_Grequest_start");
  const int status = real(query, release, cancel, state, request);
  if (status == MPI_SUCCESS) may_be_freed_at_once(*request);
  return status;
}
extern "C" int PMPI_Grequest_start(MPI_Grequest_query_function*, MPI_Grequest_free_function*,
                                   MPI_Grequest_cancel_function*, void*, MPI_Request*)
    __attribute__((alias("MPI_Grequest_start")));
