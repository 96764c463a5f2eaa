// SPDX-License-Identifier: BSD-3-Clause
// What the files of NX/2's MPI implementation share. Peers are ranks of the communicator here, of MPI_COMM_WORLD in
// messages and receives.
#pragma once
#include "sw/nx2/mpi_interface.hpp"
#include "sw/nx2/nx2.hpp"

namespace hypermon {

/// A communicator as NX/2 knows it, on one rank. Its members' numbers are those of Nx2::ranks(): MPI_COMM_WORLD's for
/// the monitored program.
struct Communicator {
  MPI_Comm smpi = MPI_COMM_NULL; // what SMPI is given for its messages
  Context context{};
  int rank = 0;
  const std::vector<int>* members = nullptr; // as Nx2 numbers them
  bool is_plain = false;                     // on a network of packets its messages have no protocol

  int size() const { return static_cast<int>(members->size()); }
  int world(int peer) const { return (*members)[static_cast<std::size_t>(peer)]; }
  bool has(int peer) const { return peer >= 0 && peer < size(); }
};

/// None for one that NX/2 does not model (between groups): SMPI alone knows it.
const Communicator* find(const RankState& self, MPI_Comm comm);
/// Messages of this communicator, which the program does not know, have no protocol on a network of packets.
void make_plain(const RankState& self, MPI_Comm comm);
/// The program's handle of what SMPI is given for its messages; MPI_COMM_NULL for the library's own.
MPI_Comm programs(const RankState& self, MPI_Comm smpi);
/// The one that carries the messages of the library's global operations; its ranks are those of MPI_COMM_WORLD, its
/// tags the contexts of the communicators that they work on.
const Communicator& library(const RankState& self);
/// MPI has begun: MPI_COMM_WORLD, which the program may have found under SMPI's `placeholder` before, MPI_COMM_SELF
/// and, under NX/2, the library's own. Making those takes messages of SMPI's, so it is done only where SMPI carries
/// messages.
void add_first_communicators(const RankState& self, MPI_Comm placeholder);
void remove_first_communicators(const RankState& self);

// Each puts its functions into a table.
void add_session_calls(MpiTable& table);
void add_send_calls(MpiTable& table);
void add_receive_calls(MpiTable& table);
void add_exchange_calls(MpiTable& table);
void add_persistent_calls(MpiTable& table);
void add_completion_calls(MpiTable& table);
void add_probe_calls(MpiTable& table);
void add_communicator_calls(MpiTable& table);
void add_collective_calls(MpiTable& table);

/// Names what the rank is blocked on while it is.
class Waiting {
public:
  Waiting(RankState& self, const WaitsFor& what) : self_(self) { self_.waits_for = what; }
  ~Waiting() { self_.waits_for = {}; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

private:
  RankState& self_;
};

std::int64_t bytes_of(int count, MPI_Datatype type);

// What SMPI would say of arguments, without anything being done (mpi_arguments.cpp). A call whose arguments are not
// good goes to SMPI's function, which refuses it.
bool is_good(const void* data, int count, MPI_Datatype type, MPI_Comm comm);
/// Of as many counts as the communicator has members.
bool are_good(const void* data, const int* counts, MPI_Datatype type, MPI_Comm comm, int size);
bool are_good(const void* data, const int* counts, const MPI_Datatype* types, MPI_Comm comm, int size);
bool is_combinable(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
bool is_reducible(const void* in, const void* result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
/// Is there room for it among what MPI_Buffer_attach has given?
bool is_bufferable(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);

/// As MPI_Send to and MPI_Recv from a member; `synchronous`: with request and grant, however short.
int send(RankState& self, const Communicator& comm, const void* data, int count, MPI_Datatype type, int to, int tag,
         bool synchronous = false);
int receive(RankState& self, const Communicator& comm, void* data, int count, MPI_Datatype type, int from, int tag,
            MPI_Status* status);
/// As MPI_Sendrecv.
int send_receive(RankState& self, const Communicator& comm, const void* out, int out_count, MPI_Datatype out_type,
                 int to, int out_tag, void* in, int in_count, MPI_Datatype in_type, int from, int in_tag,
                 MPI_Status* status);

/// NX/2's mclock, which every look at a clock is.
void read_clock(RankState& self);

/// Copies between buffers of different types, as if by a message: MPI_ERR_TRUNCATE, if not all of it has room.
int copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type);

} // namespace hypermon
