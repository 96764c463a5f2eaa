// SPDX-License-Identifier: BSD-3-Clause
// What a run has one of between its programs' MPI calls and the library that carries them out.
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

  /// Are messages NX/2's (machine.messages = nx2)? Otherwise MPI calls go to SMPI as they are.
  const bool models_messages;
  /// Is there another MPI library than SMPI's? Then communicators are numbered, and what the program says that it
  /// computes is charged.
  const bool has_own_library;
  MpiObservers observers;
  /// Observers of networks, of file systems and of the messages inside collective calls. To be added before the ranks
  /// start.
  IoObservers io_observers;
  MessageCounts counts;
  // What messages and files are on (hw/packets, hw/nfs): null where the machine has none. Set before the ranks start.
  PacketNetwork* packet_network = nullptr;
  ParallelFileSystem* file_system = nullptr;
};

inline MpiLayer* the_mpi_layer = nullptr;
/// The object of the process: MPI's functions have no argument of ours.
inline MpiLayer& mpi_layer() { return *the_mpi_layer; }

inline MpiLayer::MpiLayer(OperatingSystem& os)
    : models_messages(os.models_messages), has_own_library(os.has_own_library), observers(os),
      counts(os, io_observers) {
  the_mpi_layer = this;
}
inline MpiLayer::~MpiLayer() { the_mpi_layer = nullptr; }

} // namespace hypermon
