// SPDX-License-Identifier: BSD-3-Clause
// Objects that a run has once, between its programs' MPI calls and the library that carries them out.
#pragma once
#include "hw/packets/core/io_observers.hpp"
#include "sw/mpi/message_counts.hpp"
#include "sw/mpi/observers.hpp"

namespace hypermon {

class PacketNetwork;
class ParallelFileSystem;

struct MpiLayer {
  explicit MpiLayer(OperatingSystem& os);
  MpiLayer(const MpiLayer&) = delete;
  MpiLayer& operator=(const MpiLayer&) = delete;
  ~MpiLayer();

  /// True if messages are NX/2's (machine.messages = nx2). Otherwise SMPI gets the MPI calls unchanged.
  const bool models_messages;
  /// True if hypermon's library carries the messages instead of SMPI. Then communicators are numbered, and computation
  /// that the program declares takes time.
  const bool has_own_library;
  MpiObservers observers;
  /// Observers of networks, of file systems and of the messages inside collective calls. Add them before the ranks
  /// start.
  IoObservers io_observers;
  MessageCounts counts;
  // Networks of messages and files (hw/packets, hw/nfs); null if the machine has none. Set before the ranks start.
  PacketNetwork* packet_network = nullptr;
  ParallelFileSystem* file_system = nullptr;
};

inline MpiLayer* the_mpi_layer = nullptr;
/// The process has one layer: MPI's functions get no argument from hypermon.
inline MpiLayer& mpi_layer() { return *the_mpi_layer; }

inline MpiLayer::MpiLayer(OperatingSystem& os)
    : models_messages(os.models_messages), has_own_library(os.has_own_library), observers(os),
      counts(os, io_observers) {
  the_mpi_layer = this;
}
inline MpiLayer::~MpiLayer() { the_mpi_layer = nullptr; }

} // namespace hypermon
