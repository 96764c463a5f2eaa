// SPDX-License-Identifier: BSD-3-Clause
// Who is told what goes on inside a collective call, a file system's client and its servers: a monitor that opens them
// up. Everything is told at its simulated instant, in maestro; an observer must not change any time by itself.
#pragma once
#include "base/time.hpp"
#include "hw/machine/operation.hpp"
#include "hw/packets/core/packet_network.hpp"
#include "hw/packets/core/parallel_file_system.hpp"

#include <cstdint>

namespace hypermon {

/// Layers of PVFS, from the client to the disk (HDTrace sec. 6). disk is below TROVE: one operation at a time.
enum class IoLayer : std::uint8_t { client, bmi, flow, req, server, trove, disk };

/// Something that has begun in a layer.
struct IoStep {
  OperationId id;    ///< its own
  OperationId cause; ///< of the step above it: an MPI call, a client's request, a server's request, ...
  IoLayer layer{};
  Station at{};          ///< the client's or the server's
  const char* name = ""; ///< static: "write_sm", "small_io", "receive", "seek", ...
  FileRequest::Kind kind{};
  FileId file{};
  std::int64_t offset = -1; ///< in the server's file; -1: of none
  std::int64_t bytes = 0;
};

/// A message under a collective call or of the point-to-point protocol.
struct MessageStep {
  OperationId id;
  OperationId cause;          ///< the sender's MPI call
  OperationId receivers;      ///< the receiver's, where it is known already
  const char* algorithm = ""; ///< static: "binomial_scatter", "eager", ...
  std::int32_t step = 0;      ///< of the algorithm, from 0 on
  std::int32_t from = 0;      ///< ranks, among the processes of all programs
  std::int32_t to = 0;
  std::int64_t bytes = 0;
};

class IoObserver {
public:
  virtual ~IoObserver() = default;
  virtual void begins(Time /*now*/, const IoStep& /*step*/) {}
  virtual void begins(Time /*now*/, const MessageStep& /*step*/) {}
  /// Of either.
  virtual void ends(Time /*now*/, OperationId /*id*/) {}
  /// Operations that are pending in a layer of a server, whenever the number changes.
  virtual void pending(Time /*now*/, IoLayer /*layer*/, Station /*at*/, std::int64_t /*operations*/) {}
  /// A part of a station's hardware begins or ceases to work: for utilisation and power.
  enum class Part : std::uint8_t { processor, interface, disk };
  virtual void busy(Time /*now*/, Station /*at*/, Part /*part*/, bool /*works*/) {}
};

} // namespace hypermon
