// SPDX-License-Identifier: BSD-3-Clause
// The program's MPI calls under NX/2. Each becomes the NX/2 calls that an iPSC/2 program would make, with their events
// and costs, around SMPI's functions, which move the data. This file has the table and the clocks; sends.cpp,
// receives.cpp and others have the rest. SMPI gets the calls that are not modelled unchanged, without events and
// without start-up costs (docs/design/mpi.md).
#include "sw/nx2/calls.hpp"
#include "sw/nx2/point_to_point.hpp"

#include <utility>

namespace hypermon {
namespace {

double call_wtime() {
  system_call::read_clock(rank_table().self());
  return smpi().Wtime();
}

int (*end_session_under_nx2)() = nullptr;

int finalize_under_nx2() {
  point_to_point::await_freed(rank_table().self());
  return end_session_under_nx2();
}

} // namespace

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
