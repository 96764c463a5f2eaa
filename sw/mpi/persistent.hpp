// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests for libraries beside SMPI: SMPI makes the handle, the library starts the request.
#pragma once
#include "sw/mpi/arguments.hpp"
#include "sw/os/ranks.hpp"

#include <algorithm>

namespace hypermon {

/// Checked arguments of MPI_Send_init or MPI_Recv_init.
struct PersistentArguments {
  void* data;
  int count;
  MPI_Datatype type;
  int peer;
  int tag;
};

/// `Library` has static functions, all called in the rank's actor:
///   template <auto Real, bool synchronous> void keep_send(self, communicator, arguments, request);
///   void keep_receive(self, communicator, arguments, request);
///   bool start(self, request*, status&): returns false for an unknown request.
template <class Library> struct PersistentCalls {
  template <auto Real, bool synchronous>
  static int send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                       MPI_Request* request) {
    RankState& self = rank_table().self();
    const Communicator* known = find(self, comm);
    if (request == nullptr || !sendable(known, data, count, type, to, tag, comm))
      return (smpi().*Real)(data, count, type, to, tag, comm, request);
    const int status = (smpi().*Real)(data, count, type, to, tag, known->smpi, request);
    if (status == MPI_SUCCESS)
      Library::template keep_send<Real, synchronous>(self, *known, {const_cast<void*>(data), count, type, to, tag},
                                                     *request);
    return status;
  }

  static int recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                       MPI_Request* request) {
    RankState& self = rank_table().self();
    const Communicator* known = find(self, comm);
    if (request == nullptr || !receivable(known, data, count, type, from, tag, comm))
      return smpi().Recv_init(data, count, type, from, tag, comm, request);
    const int status = smpi().Recv_init(data, count, type, from, tag, known->smpi, request);
    if (status == MPI_SUCCESS) Library::keep_receive(self, *known, {data, count, type, from, tag}, *request);
    return status;
  }

  static int start(MPI_Request* request) {
    int status = MPI_SUCCESS;
    if (request == nullptr || !Library::start(rank_table().self(), request, status)) return smpi().Start(request);
    return status;
  }

  static int startall(int count, MPI_Request* requests) {
    if (requests == nullptr || std::find(requests, requests + std::max(count, 0), MPI_REQUEST_NULL) < requests + count)
      return smpi().Startall(count, requests);
    int status = MPI_SUCCESS;
    for (int i = 0; i < count && status == MPI_SUCCESS; ++i) status = start(&requests[i]);
    return status;
  }

  static void add(MpiTable& table) {
    table.Send_init = send_init<&MpiTable::Send_init, false>;
    table.Rsend_init = send_init<&MpiTable::Rsend_init, false>;
    table.Ssend_init = send_init<&MpiTable::Ssend_init, true>;
    table.Bsend_init = send_init<&MpiTable::Bsend_init, false>;
    table.Recv_init = recv_init;
    table.Start = start;
    table.Startall = startall;
  }
};

} // namespace hypermon
