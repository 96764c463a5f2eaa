// SPDX-License-Identifier: BSD-3-Clause
// Communicators as hypermon's own MPI libraries know them. Peers are ranks of the communicator here, and ranks of
// MPI_COMM_WORLD in messages and receives.
#pragma once
#include "sw/mpi/interface.hpp"
#include "sw/os/ranks.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hypermon {

/// Identifies a communicator: the one for the library's global operations, MPI_COMM_WORLD, or a later number for one
/// that the program made.
enum class Context : std::uint32_t { library, world };

/// A communicator as one of hypermon's libraries knows it, on one rank. Its members have the numbers of RankTable,
/// which are those of MPI_COMM_WORLD for the monitored program.
struct Communicator {
  MPI_Comm smpi = MPI_COMM_NULL; // handle that SMPI gets for its messages
  Context context{};
  int rank = 0;
  const std::vector<int>* members = nullptr; // numbers of RankTable
  bool is_plain = false;                     // on a packet network its messages use no protocol

  int size() const { return static_cast<int>(members->size()); }
  int world(int peer) const { return (*members)[static_cast<std::size_t>(peer)]; }
  bool has(int peer) const { return peer >= 0 && peer < size(); }
};

/// Null for an intercommunicator, which is not modelled: only SMPI knows it.
const Communicator* find(const RankState& self, MPI_Comm comm);
/// Messages of this internal communicator, which the program does not know, use no protocol on a packet network.
void make_plain(const RankState& self, MPI_Comm comm);
/// The program's handle of the communicator that SMPI gets for its messages; MPI_COMM_NULL for the library's own.
MPI_Comm programs(const RankState& self, MPI_Comm smpi);
/// The communicator for the messages of the library's global operations. Its ranks are those of MPI_COMM_WORLD; its
/// tags are the contexts of the communicators that the operations work on.
const Communicator& library(const RankState& self);
/// Called when MPI begins. Adds MPI_COMM_WORLD, which the program may have read as SMPI's `placeholder` before,
/// MPI_COMM_SELF and, under NX/2, the library's own communicator. Making communicators takes messages of SMPI, so it is
/// only done where SMPI carries messages.
void add_first_communicators(const RankState& self, MPI_Comm placeholder);
void remove_first_communicators(const RankState& self);
/// Puts the functions that make and free communicators into `table`.
void add_communicator_calls(MpiTable& table);

/// SMPI 3.32 numbers the messages of two ranks and one tag and accepts them only in that order, so it would accept none
/// after a cancelled message. Call this before SMPI starts the message. The returned function makes SMPI skip it.
std::function<void()> skipping(const Communicator& comm, int to, int tag);

} // namespace hypermon
