// SPDX-License-Identifier: BSD-3-Clause
// Calls that SMPI 3.32 silently carries out wrongly end the run. The error message names an alternative.
#include "base/user_error.hpp"
#include "sw/mpi/errors.hpp"
#include "sw/mpi/held.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/os/ranks.hpp"

#include <string>
#include <string_view>
#include <tuple>

namespace hypermon {
namespace {

MpiTable others;

bool is_made_of_others(MPI_Datatype type) {
  int n = 0;
  int combiner = MPI_COMBINER_NAMED;
  return PMPI_Type_get_envelope(type, &n, &n, &n, &combiner) == MPI_SUCCESS && combiner != MPI_COMBINER_NAMED;
}

/// True if SMPI would carry out this call of the program, and false if it would only report bad arguments.
template <class Ask> bool is_carried_out(MPI_Datatype type, MPI_Comm comm, Ask&& without_request) {
  const RankState* self = rank_table().caller();
  // SMPI's blocking operations call the non-blocking ones, which are correct in that case.
  if (self == nullptr || self->call.function == nullptr || !std::string_view(self->call.function).starts_with("MPI_I"))
    return false;
  if (type == MPI_DATATYPE_NULL || comm == MPI_COMM_NULL || !is_made_of_others(type)) return false;
  int size = 0;
  if (smpi_itself().Comm_size(comm, &size) != MPI_SUCCESS || size < 2) return false;
  const AskingSmpi asking;
  return without_request() == MPI_ERR_REQUEST;
}

/// Lower bound of the number of elements of one rank.
int first_count(int count) { return count; }
int first_count(const int* counts) { return counts == nullptr ? 0 : 1; }

template <auto Function> struct Reduction;
template <class Count, class... Arguments,
          int (*MpiTable::*Function)(const void*, void*, Count, MPI_Datatype, MPI_Op, Arguments...)>
struct Reduction<Function> {
  static int call(const void* in, void* result, Count count, MPI_Datatype type, MPI_Op op, Arguments... more) {
    auto last = std::make_tuple(more...);
    const auto without_request = [&] {
      std::get<MPI_Request*>(last) = nullptr;
      return std::apply([&](auto... rest) { return (others.*Function)(in, result, count, type, op, rest...); }, last);
    };
    // SMPI refuses predefined operations. For other operations on a derived datatype it leaves out the other ranks'
    // operands and writes beyond the result.
    if (std::get<MPI_Request*>(last) != nullptr && first_count(count) > 0 && !is_predefined(op) &&
        is_carried_out(type, std::get<MPI_Comm>(last), without_request))
      fail_rank(rank_table().self().rank,
                "called " + std::string(rank_table().self().call.function) +
                    " with a derived datatype, for which SMPI 3.32 gives wrong results: use the "
                    "blocking function, a predefined datatype or machine.messages = packets");
    return (others.*Function)(in, result, count, type, op, more...);
  }
};

} // namespace

void add_refusals(MpiTable& table) {
  others = table;
  table.Ireduce = Reduction<&MpiTable::Ireduce>::call;
  table.Iallreduce = Reduction<&MpiTable::Iallreduce>::call;
  table.Iscan = Reduction<&MpiTable::Iscan>::call;
  table.Iexscan = Reduction<&MpiTable::Iexscan>::call;
  table.Ireduce_scatter = Reduction<&MpiTable::Ireduce_scatter>::call;
  table.Ireduce_scatter_block = Reduction<&MpiTable::Ireduce_scatter_block>::call;
}

} // namespace hypermon
