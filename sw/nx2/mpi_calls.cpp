// SPDX-License-Identifier: BSD-3-Clause
// The program's MPI calls under NX/2: each becomes the NX/2 calls that an iPSC/2 program would make, with their events
// and costs, around SMPI's, which move the data. Here the table of them, and clocks; the rest by what it does:
// mpi_sends.cpp, mpi_receives.cpp, ... What is not modelled goes to SMPI as it is, without events and without start-up
// costs (docs/design/mpi.md).
#include "sw/nx2/mpi_calls.hpp"
#include "sw/nx2/file_library.hpp"
#include "sw/nx2/mpi_buffers.hpp"
#include "sw/nx2/mpi_point_to_point.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hypermon {
namespace {

double call_wtime() {
  read_clock(nx2().self());
  return smpi().Wtime();
}

int (*end_session_under_nx2)() = nullptr;

int finalize_under_nx2() {
  point_to_point::await_freed(nx2().self());
  return end_session_under_nx2();
}

} // namespace

void read_clock(RankState& self) { point_to_point::plain_call(self, SystemCall::mclock); }

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::int64_t>(count) * size;
}

int copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type) {
  const mpiio::LayoutPointer out = layout_of(from_type);
  const mpiio::LayoutPointer in = layout_of(to_type);
  const std::int64_t size = from_count * out->size();
  const std::int64_t room = to_count * in->size();
  if (size == 0) return MPI_SUCCESS;
  std::vector<char> packed(static_cast<std::size_t>(size));
  pack(*out, from, from_count, packed.data());
  unpack(packed.data(), std::min(size, room), *in, to);
  return room < size ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

MpiTable nx2_mpi() {
  MpiTable table = smpi();
  add_session_calls(table);
  end_session_under_nx2 = std::exchange(table.Finalize, finalize_under_nx2);
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
