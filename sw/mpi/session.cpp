// SPDX-License-Identifier: BSD-3-Clause
// Begin and end of MPI, the same for every library that carries messages.
#include "base/user_error.hpp"
#include "hw/cosim/smpi_world.hpp"
#include "sw/mpi/communicator.hpp"
#include "sw/mpi/errors.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpi/next_definition.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"
#include "sw/mpi/worlds.hpp"

#include <algorithm>

namespace hypermon {
namespace {

/// Value of MPI_COMM_WORLD before MPI_Init.
MPI_Comm placeholder_of(const RankState& self) {
  static const MPI_Comm first = world_of(self.program);
  return first;
}

void begin(RankState& self) {
  const MPI_Comm placeholder = placeholder_of(self);
  world_of(self.program) = simgrid_compat::world_communicator(); // the same on every rank, as in smpirun
  set_first_handlers();
  if (mpi_layer().has_own_library) add_first_communicators(self, placeholder);
  // Observers of messages are notified of SMPI's messages.
  if (!mpi_layer().io_observers.empty() && !mpi_layer().has_own_library && smpi_shows_messages())
    mpi_layer().counts.keep();
  program_run().begin(self);
}

int call_init(int* argc, char*** argv) {
  const int status = smpi().Init(argc, argv);
  begin(rank_table().self());
  return status;
}

/// A rank may have threads of the host, but MPI needs an actor, and only the rank's main thread has one.
constexpr int most_threads = MPI_THREAD_FUNNELED;

/// Thread level that each rank was granted.
int& thread_level(const RankState& self) {
  static std::vector<int> all(rank_table().all().size(), MPI_THREAD_SINGLE);
  return all[static_cast<std::size_t>(self.rank)];
}

int call_init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = smpi().Init_thread(argc, argv, required, provided);
  RankState& self = rank_table().self();
  thread_level(self) = std::min(required, most_threads);
  if (provided != nullptr) *provided = thread_level(self);
  begin(self);
  return status;
}

int call_finalize() {
  RankState& self = rank_table().self();
  program_run().end(self);
  if (mpi_layer().has_own_library) remove_first_communicators(self);
  const auto lives_on = [&self](const RankState& rank) {
    return rank.program == self.program && !rank.lifetime.is_finalized;
  };
  if (rank_table().programs() > 1 && std::ranges::none_of(rank_table().all(), lives_on))
    // SMPI would delete the communicator, which messages of other ranks need
    world_of(self.program) = placeholder_of(self);
  return smpi().Finalize();
}

int call_abort(MPI_Comm, int status) {
  fail_rank(rank_table().self().rank, "called MPI_Abort with code " + std::to_string(status));
}

int call_pcontrol(const int level, ...) {
  RankState& self = rank_table().self();
  if (level > 0)
    program_run().begin_measured(self);
  else
    program_run().end_measured(self);
  return MPI_SUCCESS;
}

} // namespace

void add_session_calls(MpiTable& table) {
  table.Init = call_init;
  table.Init_thread = call_init_thread;
  table.Finalize = call_finalize;
  table.Abort = call_abort;
  table.Pcontrol = call_pcontrol;
}

MpiTable smpi_mpi() {
  MpiTable table = smpi();
  add_session_calls(table);
  table.Wtime = smpi_wtime;
  return table;
}

} // namespace hypermon

using namespace hypermon;

/// SMPI 3.32 tests whether the actor is SimGrid's first one, which is rank 0 only if there are no other actors, such as
/// a monitor's. In hypermon a rank is one thread.
extern "C" int PMPI_Query_thread(int* provided) {
  static const auto real = next_definition<decltype(::PMPI_Query_thread)>("PMPI_Query_thread");
  const int status = real(provided);
  const RankState* self = rank_table().caller();
  if (status == MPI_SUCCESS && self != nullptr) *provided = thread_level(*self);
  return status;
}
extern "C" int MPI_Query_thread(int*) __attribute__((alias("PMPI_Query_thread")));

extern "C" int PMPI_Is_thread_main(int* flag) {
  if (flag == nullptr) return MPI_ERR_ARG;
  *flag = rank_table().caller() != nullptr ? 1 : 0;
  return MPI_SUCCESS;
}
