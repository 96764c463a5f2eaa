// SPDX-License-Identifier: BSD-3-Clause
// Communicators as the libraries beside SMPI know them. Peers are ranks of the communicator here, of MPI_COMM_WORLD in
// messages and receives.
#pragma once
#include "sw/mpi/interface.hpp"
#include "sw/os/ranks.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hypermon {

/// Which communicator: that of the library's global operations, MPI_COMM_WORLD, or one that the program made.
enum class Context : std::uint32_t { library, world };

/// A communicator as a library of ours knows it, on one rank. Its members' numbers are those of RankTable:
/// MPI_COMM_WORLD's for the monitored program.
struct Communicator {
  MPI_Comm smpi = MPI_COMM_NULL; // what SMPI is given for its messages
  Context context{};
  int rank = 0;
  const std::vector<int>* members = nullptr; // as RankTable numbers them
  bool is_plain = false;                     // on a network of packets its messages have no protocol

  int size() const { return static_cast<int>(members->size()); }
  int world(int peer) const { return (*members)[static_cast<std::size_t>(peer)]; }
  bool has(int peer) const { return peer >= 0 && peer < size(); }
};

/// None for one that is not modelled (between groups): SMPI alone knows it.
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
/// Puts the functions that make and free communicators into `table`.
void add_communicator_calls(MpiTable& table);

/// SMPI 3.32 numbers the messages of two ranks and one tag, and takes no other one than the next: after a cancelled one
/// none. To be called before SMPI starts the message; what it returns makes SMPI go on behind it.
std::function<void()> skipping(const Communicator& comm, int to, int tag);

} // namespace hypermon
