// SPDX-License-Identifier: BSD-3-Clause
// MPI on a packet network (machine.messages = packets), and the list of a run's messages for every library. The worker
// makes them before the ranks start.
#pragma once
#include "base/spec.hpp"
#include "hw/packets/core/io_observer.hpp"

#include <memory>
#include <string>

namespace hypermon {

struct OperatingSystem;
struct MpiLayer;

/// The library and the message list of a run. The destructor ends both.
class PacketMessages {
public:
  PacketMessages() = default;
  PacketMessages(const PacketMessages&) = delete;
  PacketMessages& operator=(const PacketMessages&) = delete;
  virtual ~PacketMessages() = default;
  /// Call at the end of the run: completes the files.
  virtual void close() = 0;
};

/// With machine.messages = packets, MPI's functions come from this library from now on, and `mpi` must have a packet
/// network.
std::unique_ptr<PacketMessages> make_packet_messages(const Spec& spec, OperatingSystem& os, MpiLayer& mpi,
                                                     const std::string& directory);

} // namespace hypermon
