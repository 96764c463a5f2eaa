// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/unmodelled_calls.hpp"
#include "base/listing.hpp"
#include "base/run_keys.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/os/ranks.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace hypermon {
namespace {

/// Number of calls by function.
std::map<std::string_view, std::uint64_t>& counts() {
  static std::map<std::string_view, std::uint64_t> all;
  return all;
}

std::set<std::string>& assumptions() {
  static std::set<std::string> all;
  return all;
}

MpiTable uncounted;

template <auto Function, const char* const& Name> struct Counted;
template <class... Arguments, int (*MpiTable::*Function)(Arguments...), const char* const& Name>
struct Counted<Function, Name> {
  static int call(Arguments... arguments) {
    count_unmodelled_call(Name);
    return (uncounted.*Function)(arguments...);
  }
};

/// Communicators are usually made before the work that a run studies, so such calls are counted without a warning.
bool makes_communicator(std::string_view function) {
  return function.starts_with("MPI_Comm_") || function.starts_with("MPI_Cart_");
}

} // namespace

// The functions for communicators are hypermon's and leave the communication to SMPI; the others may be modelled.
// clang-format off
#define COMMUNICATORS(F)                                                                                               \
  F(Comm_dup) F(Comm_dup_with_info) F(Comm_idup) F(Comm_split) F(Comm_split_type) F(Comm_create) F(Comm_create_group)  \
  F(Cart_create) F(Cart_sub)
#define OTHERS(F)                                                                                                      \
  F(Ibarrier) F(Ibcast) F(Ireduce) F(Iallreduce) F(Iscan) F(Iexscan) F(Ireduce_scatter_block) F(Ireduce_scatter)       \
  F(Igather) F(Igatherv) F(Iscatter) F(Iscatterv) F(Iallgather) F(Iallgatherv) F(Ialltoall) F(Ialltoallv)              \
  F(Ialltoallw) F(Win_create) F(Win_allocate) F(Win_free) F(Win_fence) F(Win_post) F(Win_start) F(Win_complete)        \
  F(Win_wait) F(Win_lock) F(Win_unlock) F(Win_lock_all) F(Win_unlock_all) F(Win_flush) F(Win_flush_all) F(Put) F(Get)  \
  F(Accumulate) F(Rput) F(Rget) F(Raccumulate)
// clang-format on

namespace {
#define NAME(name) const char* const name_of_##name = "MPI_" #name;
COMMUNICATORS(NAME)
OTHERS(NAME)
#undef NAME
} // namespace

void count_unmodelled_calls(MpiTable& table) {
  uncounted = table;
#define COUNT(name) table.name = Counted<&MpiTable::name, name_of_##name>::call;
#define COUNT_IF_SMPIS(name)                                                                                           \
  if (table.name == smpi().name) COUNT(name)
  COMMUNICATORS(COUNT)
  OTHERS(COUNT_IF_SMPIS)
#undef COUNT_IF_SMPIS
#undef COUNT
}
#undef COMMUNICATORS
#undef OTHERS

void count_unmodelled_call(const char* function) {
  const RankState* rank = rank_table().caller();
  if (rank != nullptr && rank->program == 0 && mpi_layer().has_own_library) ++counts()[function];
}

void report_unmodelled_calls(Results& results) {
  if (counts().empty()) return;
  const auto& keys = run_keys.unmodelled_calls;
  ResultRecords list(keys.list);
  for (const auto& [function, calls] : counts()) list.add({keys.function(function), keys.calls(calls)});
  results.set(std::move(list));
}

void note_assumption(const std::string& text) { assumptions().insert(text); }

std::vector<std::string> warnings_of_calls(const std::string& messages) {
  std::string list;
  for (const auto& [function, calls] : counts())
    if (!makes_communicator(function)) add_to_list(list, std::string(function) + " (" + std::to_string(calls) + ")");
  std::vector<std::string> all(assumptions().begin(), assumptions().end());
  if (!list.empty())
    all.push_back("machine.messages = " + messages + " has no model of these calls: " + list +
                  ". SMPI carries them over the links of section network: they take no start-up time and emit no "
                  "events of messages");
  return all;
}

} // namespace hypermon
