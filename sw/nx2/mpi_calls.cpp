// SPDX-License-Identifier: BSD-3-Clause
// The program's MPI calls under NX/2: each becomes the NX/2 calls that an iPSC/2 program would make, with their events
// and costs, around SMPI's, which move the data. Here the table of them, and clocks; the rest by what it does:
// mpi_sends.cpp, mpi_receives.cpp, ... What is not modelled goes to SMPI as it is, without events and without start-up
// costs (docs/design/mpi.md).
#include "sw/nx2/mpi_calls.hpp"
#include "sw/nx2/mpi_point_to_point.hpp"

#include <algorithm>
#include <vector>

namespace hypermon {
namespace {

double call_wtime() {
  read_clock(nx2().self());
  return smpi().Wtime();
}

} // namespace

void read_clock(RankState& self) { point_to_point::plain_call(self, SystemCall::mclock); }

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::int64_t>(count) * size;
}

int copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type) {
  std::vector<char> packed(static_cast<std::size_t>(bytes_of(from_count, from_type)));
  const auto size = static_cast<int>(packed.size());
  const auto element = static_cast<int>(bytes_of(1, to_type));
  if (size == 0 || element == 0) return size == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
  int position = 0;
  if (const int status = PMPI_Pack(from, from_count, from_type, packed.data(), size, &position, MPI_COMM_SELF);
      status != MPI_SUCCESS)
    return status;
  position = 0;
  const int status =
      PMPI_Unpack(packed.data(), size, &position, to, std::min(to_count, size / element), to_type, MPI_COMM_SELF);
  return status == MPI_SUCCESS && bytes_of(to_count, to_type) < size ? MPI_ERR_TRUNCATE : status;
}

MpiTable nx2_mpi() {
  MpiTable table = smpi();
  add_session_calls(table);
  table.Wtime = call_wtime;
  add_send_calls(table);
  add_receive_calls(table);
  add_exchange_calls(table);
  add_persistent_calls(table);
  add_completion_calls(table);
  add_probe_calls(table);
  add_communicator_calls(table);
  add_collective_calls(table);
  return table;
}

} // namespace hypermon
