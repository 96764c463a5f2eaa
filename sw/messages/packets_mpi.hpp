// SPDX-License-Identifier: BSD-3-Clause
// MPI on a network of packets (machine.messages = packets), and the list of a run's messages, whoever carries them: the
// worker makes them before the ranks start.
#pragma once
#include "base/spec.hpp"
#include "hw/packets/core/io_observer.hpp"

#include <memory>
#include <string>

namespace hypermon {

struct OperatingSystem;
struct MpiLayer;

/// What a run has of them; its end ends them.
class PacketMessages {
public:
  PacketMessages() = default;
  PacketMessages(const PacketMessages&) = delete;
  PacketMessages& operator=(const PacketMessages&) = delete;
  virtual ~PacketMessages() = default;
  /// The run is over: what is written is written whole.
  virtual void close() = 0;
};

/// With machine.messages = packets MPI's functions are its from now on, and `mpi` must have a network of packets.
std::unique_ptr<PacketMessages> make_packet_messages(const Spec& spec, OperatingSystem& os, MpiLayer& mpi,
                                                     const std::string& directory);

} // namespace hypermon
