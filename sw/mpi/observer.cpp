// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/observer.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/worlds.hpp"
#include "sw/os/ranks.hpp"

#include <numeric>

namespace hypermon {
namespace {

std::int64_t type_bytes(MPI_Datatype type) {
  int size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &size);
  return size;
}

void fill(MpiPart& part, std::int64_t count, MPI_Datatype type) {
  part.count = count;
  part.type_bytes = type_bytes(type);
  part.bytes = count * part.type_bytes;
}

// Collectives with a block for each rank have equal blocks, blocks with their own counts, or blocks with their own
// types.
std::int64_t count_of(int count, std::size_t) { return count; }
std::int64_t count_of(const int* counts, std::size_t rank) { return counts[rank]; }
MPI_Datatype type_of(MPI_Datatype type, std::size_t) { return type; }
MPI_Datatype type_of(const MPI_Datatype* types, std::size_t rank) { return types[rank]; }

} // namespace

template <class Counts, class Types> void MpiCall::blocks(MpiPart& part, Counts counts, Types types) {
  if constexpr (std::is_pointer_v<Counts>)
    if (counts == nullptr) return;
  if constexpr (!std::is_same_v<Types, MPI_Datatype>)
    if (types == nullptr) return;
  for (std::size_t r = 0; r < static_cast<std::size_t>(comm_size_); ++r) {
    part.count += count_of(counts, r);
    part.bytes_by_rank.push_back(count_of(counts, r) * type_bytes(type_of(types, r)));
  }
  part.bytes = std::reduce(part.bytes_by_rank.begin(), part.bytes_by_rank.end());
  if constexpr (std::is_same_v<Types, MPI_Datatype>) part.type_bytes = type_bytes(types);
}
template void MpiCall::blocks(MpiPart&, int, MPI_Datatype);
template void MpiCall::blocks(MpiPart&, const int*, MPI_Datatype);
template void MpiCall::blocks(MpiPart&, const int*, const MPI_Datatype*);

bool MpiCall::is_root() const {
  int rank = MPI_UNDEFINED;
  smpi().Comm_rank(comm_, &rank);
  return root_ == rank;
}

MpiCall& MpiCall::on(MPI_Comm comm) {
  comm_ = comm;
  if (comm != MPI_COMM_NULL) smpi().Comm_size(comm, &comm_size_);
  return *this;
}

MpiCall& MpiCall::from_root(int root) {
  root_ = root;
  return *this;
}

MpiCall& MpiCall::placed(const void* buffer) {
  in_place_ = buffer == MPI_IN_PLACE;
  return *this;
}

MpiCall& MpiCall::combines(const void* buffer, MPI_Op op) {
  op_ = op;
  return placed(buffer);
}

MpiCall& MpiCall::aims(int target) {
  sent_.peer = target;
  return *this;
}

MpiCall& MpiCall::sends(int count, MPI_Datatype type, int to, int tag) {
  fill(sent_, count, type);
  sent_.peer = to;
  sent_.tag = tag;
  return *this;
}

MpiCall& MpiCall::receives(int count, MPI_Datatype type, int from, int tag) {
  received_.peer = from;
  received_.tag = tag;
  return takes(count, type);
}

MpiCall& MpiCall::takes(int count, MPI_Datatype type) {
  fill(received_, count, type);
  return *this;
}

MpiCall& MpiCall::gives(int count, MPI_Datatype type) {
  if (!in_place_) fill(sent_, count, type);
  return *this;
}

MpiCall& MpiCall::makes(const MPI_Request* request) {
  made_request_ = request;
  return *this;
}

MpiCall& MpiCall::makes(const MPI_Comm* comm) {
  made_comm_ = comm;
  return *this;
}

MpiCall& MpiCall::uses(int count, const MPI_Request* requests) {
  if (requests != nullptr) requests_.assign(requests, requests + std::max(count, 0));
  return *this;
}

MpiCall& MpiCall::one(MPI_Status*& status) {
  if (status == MPI_STATUS_IGNORE) status = &own_status_;
  status_ = status;
  return *this;
}

MpiCall& MpiCall::all(MPI_Status*& statuses) {
  if (statuses == MPI_STATUSES_IGNORE) {
    own_statuses_.resize(requests_.size());
    statuses = own_statuses_.data();
  }
  statuses_ = statuses;
  return *this;
}

MpiCall& MpiCall::if_set(const int* flag) {
  flag_ = flag;
  return *this;
}

MpiCall& MpiCall::at(const int* index) {
  index_ = index;
  return *this;
}

MpiCall& MpiCall::some(const int* count, const int* indices) {
  count_ = count;
  indices_ = indices;
  return *this;
}

void MpiCall::finish(int status) {
  failed_ = status != MPI_SUCCESS && status != MPI_ERR_TRUNCATE && status != MPI_ERR_IN_STATUS;
  if (failed_) return;
  if (file_) [[unlikely]]
    return finish_file();
  if (flag_ != nullptr && *flag_ == 0) return;
  if (index_ != nullptr && *index_ == MPI_UNDEFINED) return;
  if (status_ != nullptr) {
    completed_.push_back({index_ == nullptr ? 0 : static_cast<std::size_t>(*index_), *status_});
  } else if (count_ != nullptr) {
    for (int i = 0; i < *count_; ++i) completed_.push_back({static_cast<std::size_t>(indices_[i]), statuses_[i]});
  } else if (statuses_ != nullptr) {
    for (std::size_t i = 0; i < requests_.size(); ++i) completed_.push_back({i, statuses_[i]});
  }
}

std::vector<int> world_ranks(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  smpi().Comm_group(comm, &group);
  smpi().Comm_group(world_of(rank_table().self().program), &world);
  int size = 0;
  smpi().Group_size(group, &size);
  std::vector<int> own(static_cast<std::size_t>(size));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> all(own.size());
  smpi().Group_translate_ranks(group, size, own.data(), world, all.data());
  smpi().Group_free(&group);
  smpi().Group_free(&world);
  return all;
}

} // namespace hypermon
