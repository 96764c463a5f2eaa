// SPDX-License-Identifier: BSD-3-Clause
// Communicators: SMPI makes them. NX/2 numbers them, so that a message in one is not matched by a receive in another.
#include "sw/mpi/communicator.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpi/worlds.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hypermon {
namespace {

struct Communicators {
  Communicator library;
  std::map<MPI_Comm, Communicator> by_handle;
  std::map<const std::vector<int>*, std::size_t> made; // number of communicators made with these members
};

Communicators& communicators(const RankState& self) {
  static std::vector<Communicators> all(rank_table().all().size());
  return all[static_cast<std::size_t>(self.rank)];
}

/// The n-th communicator with the same members is the same one on all members, because each of them makes it.
struct Registry {
  std::map<std::vector<int>, std::vector<Context>> contexts;
  std::uint32_t next = static_cast<std::uint32_t>(Context::world);
};

Communicator number(const RankState& self, MPI_Comm smpi_comm, const std::vector<int>& members) {
  static Registry registry;
  auto& [own_members, contexts] = *registry.contexts.try_emplace(members).first;
  const std::size_t n = communicators(self).made[&own_members]++;
  if (n == contexts.size()) contexts.push_back(Context{registry.next++});
  const auto rank = std::find(own_members.begin(), own_members.end(), self.rank) - own_members.begin();
  return {smpi_comm, contexts[n], static_cast<int>(rank), &own_members};
}

std::vector<int> processes_of(const RankState& self, MPI_Comm comm) {
  std::vector<int> members = world_ranks(comm);
  for (int& member : members) member += self.first;
  return members;
}

bool between_groups(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return inter != 0;
}

/// A call has made `*made`: adds it.
int add(int status, const MPI_Comm* made) {
  const RankState& self = rank_table().self();
  if (status == MPI_SUCCESS && *made != MPI_COMM_NULL && !between_groups(*made))
    communicators(self).by_handle[*made] = number(self, *made, processes_of(self, *made));
  return status;
}

int comm_dup(MPI_Comm comm, MPI_Comm* made) { return add(smpi().Comm_dup(comm, made), made); }

int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  return add(smpi().Comm_dup_with_info(comm, info, made), made);
}

int comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  return add(smpi().Comm_idup(comm, made, request), made);
}

int comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  return add(smpi().Comm_split(comm, color, key, made), made);
}

int comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm* made) {
  return add(smpi().Comm_split_type(comm, kind, key, info, made), made);
}

int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  return add(smpi().Comm_create(comm, group, made), made);
}

int comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  return add(smpi().Comm_create_group(comm, group, tag, made), made);
}

int cart_create(MPI_Comm comm, int n, const int* dims, const int* periods, int reorder, MPI_Comm* made) {
  return add(smpi().Cart_create(comm, n, dims, periods, reorder, made), made);
}

int cart_sub(MPI_Comm comm, const int* kept, MPI_Comm* made) { return add(smpi().Cart_sub(comm, kept, made), made); }

int comm_free(MPI_Comm* comm) {
  if (comm != nullptr) communicators(rank_table().self()).by_handle.erase(*comm);
  return smpi().Comm_free(comm);
}

int comm_disconnect(MPI_Comm* comm) {
  if (comm != nullptr) communicators(rank_table().self()).by_handle.erase(*comm);
  return smpi().Comm_disconnect(comm);
}

} // namespace

const Communicator* find(const RankState& self, MPI_Comm comm) {
  const auto& known = communicators(self).by_handle;
  const auto it = known.find(comm);
  return it == known.end() ? nullptr : &it->second;
}

void make_plain(const RankState& self, MPI_Comm comm) {
  auto& known = communicators(self).by_handle;
  if (const auto it = known.find(comm); it != known.end()) it->second.is_plain = true;
}

MPI_Comm programs(const RankState& self, MPI_Comm smpi) {
  const Communicators& own = communicators(self);
  if (!mpi_layer().has_own_library || own.library.smpi == MPI_COMM_NULL) return smpi;
  if (smpi == own.library.smpi) return MPI_COMM_NULL;
  const MPI_Comm world = world_of(self.program);
  return smpi == own.by_handle.at(world).smpi ? world : smpi;
}

const Communicator& library(const RankState& self) { return communicators(self).library; }

void add_first_communicators(const RankState& self, MPI_Comm placeholder) {
  Communicators& own = communicators(self);
  std::vector<int> all(static_cast<std::size_t>(rank_table().size_of(self.program)));
  std::iota(all.begin(), all.end(), self.first);
  const MPI_Comm real_world = world_of(self.program);
  const bool apart = mpi_layer().models_messages; // own copy: SMPI itself sends messages in MPI_COMM_WORLD
  MPI_Comm world = real_world;
  if (apart) smpi().Comm_dup(real_world, &world);
  own.by_handle[real_world] = own.by_handle[placeholder] = number(self, world, all);
  if (apart) {
    own.library = own.by_handle[real_world];
    own.library.context = Context::library;
    smpi().Comm_dup(real_world, &own.library.smpi);
  }
  own.by_handle[MPI_COMM_SELF] = number(self, MPI_COMM_SELF, {self.rank});
}

void remove_first_communicators(const RankState& self) {
  if (!mpi_layer().models_messages) return; // SMPI has made these itself
  Communicators& own = communicators(self);
  smpi().Comm_free(&own.library.smpi);
  smpi().Comm_free(&own.by_handle[world_of(self.program)].smpi);
}

void add_communicator_calls(MpiTable& table) {
  table.Comm_dup = comm_dup;
  table.Comm_dup_with_info = comm_dup_with_info;
  table.Comm_idup = comm_idup;
  table.Comm_split = comm_split;
  table.Comm_split_type = comm_split_type;
  table.Comm_create = comm_create;
  table.Comm_create_group = comm_create_group;
  table.Comm_free = comm_free;
  table.Comm_disconnect = comm_disconnect;
  table.Cart_create = cart_create;
  table.Cart_sub = cart_sub;
}

} // namespace hypermon
