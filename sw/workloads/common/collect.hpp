// SPDX-License-Identifier: BSD-3-Clause
// Collects the parts of an answer on rank 0. Because that takes messages, it is only done if an answer is requested,
// after the measured section.
#pragma once
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/program.hpp"
#include <mpi.h>
#include <vector>

namespace hypermon::workloads {

/// On rank 0, calls take(rank, part) for every rank in order; count(rank) is the number of items in its part.
template <class Item, class Count, class Take>
void collect(Ranks ranks, const std::vector<Item>& mine, Count&& count, Take&& take) {
  constexpr int part_of_answer = 99; // tag that programs do not use
  const auto bytes = [](std::size_t items) { return static_cast<int>(items * sizeof(Item)); };
  if (ranks.mine != 0) {
    MPI_Send(mine.data(), bytes(mine.size()), MPI_BYTE, 0, part_of_answer, MPI_COMM_WORLD);
    return;
  }
  take(0, mine);
  for (int rank = 1; rank < ranks.count; ++rank) {
    std::vector<Item> part(static_cast<std::size_t>(count(rank)));
    MPI_Recv(part.data(), bytes(part.size()), MPI_BYTE, rank, part_of_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    take(rank, part);
  }
}

/// Writes the parts of all ranks in order as one array of `columns` columns. Returns false if it cannot.
template <class Item, class Count>
bool write_rows(Ranks ranks, const std::string& path, const char* type, const std::vector<Item>& mine, Count&& count,
                std::int64_t columns) {
  std::vector<Item> all;
  collect(ranks, mine, count,
          [&](int, const std::vector<Item>& part) { all.insert(all.end(), part.begin(), part.end()); });
  if (ranks.mine != 0) return true;
  return write_npy(path, type, sizeof(Item), all.data(), static_cast<std::int64_t>(all.size()) / columns, columns);
}

} // namespace hypermon::workloads
