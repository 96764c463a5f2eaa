// SPDX-License-Identifier: BSD-3-Clause
// Functions that the files of NX/2's MPI implementation share.
#pragma once
#include "sw/mpi/communicator.hpp"

namespace hypermon {

/// NX/2's implementations, and SMPI's functions for calls that NX/2 does not model.
MpiTable nx2_mpi();

// Each function puts its implementations into a table.
void add_send_calls(MpiTable& table);
void add_receive_calls(MpiTable& table);
void add_exchange_calls(MpiTable& table);
void add_persistent_calls(MpiTable& table);
void add_completion_calls(MpiTable& table);
void add_probe_calls(MpiTable& table);
void add_collective_calls(MpiTable& table);

/// Like MPI_Send to and MPI_Recv from a member. `synchronous`: the message uses request and grant, however short it is.
int send(RankState& self, const Communicator& comm, const void* data, int count, MPI_Datatype type, int to, int tag,
         bool synchronous = false);
int receive(RankState& self, const Communicator& comm, void* data, int count, MPI_Datatype type, int from, int tag,
            MPI_Status* status);
/// Like MPI_Sendrecv.
int send_receive(RankState& self, const Communicator& comm, const void* out, int out_count, MPI_Datatype out_type,
                 int to, int out_tag, void* in, int in_count, MPI_Datatype in_type, int from, int in_tag,
                 MPI_Status* status);

} // namespace hypermon
