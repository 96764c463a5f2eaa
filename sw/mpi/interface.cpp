// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/interface.hpp"
#include "base/user_error.hpp"
#include "sw/mpi/errors.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpi/next_definition.hpp"
#include "sw/mpi/null_partners.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"
#include "sw/mpi/unmodelled_calls.hpp"
#include "sw/mpi/window_polls.hpp"
#include "sw/os/execution.hpp"

#include <string>

namespace hypermon {
namespace {

MpiTable (*own_mpi)() = nullptr;

const MpiTable& implementation() {
  static const MpiTable table = [] {
    MpiTable t = own_mpi != nullptr ? own_mpi() : smpi_mpi();
    if (file_library() != nullptr) file_library()->add_calls(t);
    if (mpi_layer().has_own_library) count_unmodelled_calls(t);
    add_window_polls(t);
    return t;
  }();
  return table;
}

/// The rank is inside MPI: calls that MPI makes meanwhile are not reported as the program's.
class Inside {
public:
  Inside(RankState& rank, const char* function) : rank_(rank) {
    const Time now = simgrid_now();
    if (rank_.call.standstill.step(now)) [[unlikely]] {
      if (rank.is_child) fail_simulation(std::string(function) + " in a child of fork: only its parent is a rank");
      fail_simulation("simulated time stands still at " + std::to_string(now.seconds()) + " s: rank " +
                      std::to_string(rank.rank) +
                      " has called MPI more often than limits.steps_at_once allows there, the last time " + function);
    }
    rank_.call.function = function;
    ++rank_.call.number;
  }
  ~Inside() { rank_.call.function = nullptr; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

private:
  RankState& rank_;
};

/// Emits the catalogue's point mpi.<MPI_Function>.enter or .leave. At the exit of a receive the received message is
/// known.
void emit_mpi_point(RankState& rank, const MpiCall& call, bool entering) {
  const Point point = entering ? enter_point(call.function()) : leave_point(call.function());
  if (!rank.kernel->emits(point)) return;
  PointData data = rank_table().describe(call.peer().value_or(0), call.bytes(), call.tag().value_or(0));
  if (call.completed().size() == 1) {
    const MPI_Status& came = call.completed().front().status;
    data = rank_table().describe(came.MPI_SOURCE, came.count, came.MPI_TAG);
  }
  data.function = static_cast<std::uint32_t>(index(call.function()));
  data.rank = static_cast<std::uint32_t>(rank.rank); // rank within the monitored program
  data.root = static_cast<std::uint32_t>(call.root().value_or(0));
  data.count = static_cast<std::uint32_t>(call.requests().empty() ? call.sent().count
                                                                  : static_cast<std::int64_t>(call.requests().size()));
  execution().emit(rank, point, data);
}

void tell_enter(RankState& rank, const MpiCall& call) {
  for (MpiObserver* observer : mpi_layer().observers.for_rank(rank)) observer->enter(rank, call);
  execution().pay(rank);
  emit_mpi_point(rank, call, true);
}

void tell_leave(RankState& rank, MpiCall& call, int status) {
  call.finish(status);
  emit_mpi_point(rank, call, false);
  for (MpiObserver* observer : mpi_layer().observers.for_rank(rank)) observer->leave(rank, call);
}

using Send = decltype(&::PMPI_Send);

/// SMPI (3.32) never frees the request of a blocking send to MPI_PROC_NULL. It does free that of an isend, which takes
/// no time either.
template <Send MpiTable::*Real>
int send_or_skip(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  if (to != MPI_PROC_NULL) return (smpi_itself().*Real)(data, count, type, to, tag, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  const int status = smpi_itself().Isend(data, count, type, to, tag, comm, &request);
  return status == MPI_SUCCESS ? smpi_itself().Wait(&request, MPI_STATUS_IGNORE) : status;
}

} // namespace

void use_mpi(MpiTable (*make)()) { own_mpi = make; }

const MpiTable& smpi_itself() {
  static const MpiTable table{
#define NEXT(result, name, ...) next_definition<decltype(::PMPI_##name)>("PMPI_" #name),
#define F(...) NEXT(__VA_ARGS__)
#include "sw/instrumentation/mpi_functions.inc"
#undef F
#undef NEXT
  };
  return table;
}

const MpiTable& smpi() {
  static const MpiTable table = [] {
    MpiTable t = smpi_itself();
    t.Send = send_or_skip<&MpiTable::Send>;
    t.Ssend = send_or_skip<&MpiTable::Ssend>;
    t.Rsend = send_or_skip<&MpiTable::Rsend>;
    add_guards(t);
    add_refusals(t);
    add_null_partners(t);
    return t;
  }();
  return table;
}

} // namespace hypermon

using namespace hypermon;

// A profiling tool in the program defines MPI_X and calls PMPI_X, so both names have the same definition here.
#define DEFINE(result, name, parameters, arguments, description)                                                       \
  extern "C" result MPI_##name parameters {                                                                            \
    RankState* self = rank_table().caller();                                                                           \
    if (self == nullptr || self->call.function != nullptr) return smpi().name arguments;                               \
    if (MpiFunction::name != MpiFunction::Wtime || mpi_layer().observers.watch(*self))                                 \
      catch_up_with_looks(self->clock_reads);                                                                          \
    const Inside inside(*self, "MPI_" #name);                                                                          \
    if (!mpi_layer().observers.watch(*self)) {                                                                         \
      const auto returned = execution().in_mpi(*self, [&] { return implementation().name arguments; });                \
      return is_error(returned) ? raise_error(*self, static_cast<int>(returned), concerned arguments) : returned;      \
    }                                                                                                                  \
    MpiCall call(MpiFunction::name, __builtin_return_address(0));                                                      \
    call.description;                                                                                                  \
    tell_enter(*self, call);                                                                                           \
    const auto returned = execution().in_mpi(*self, [&] { return implementation().name arguments; });                  \
    tell_leave(*self, call, is_error(returned) ? static_cast<int>(returned) : MPI_SUCCESS);                            \
    return is_error(returned) ? raise_error(*self, static_cast<int>(returned), concerned arguments) : returned;        \
  }                                                                                                                    \
  extern "C" result PMPI_##name parameters __attribute__((alias("MPI_" #name)));
#define F(...) DEFINE(__VA_ARGS__)
#include "sw/instrumentation/mpi_functions.inc"
#undef F
#undef DEFINE
