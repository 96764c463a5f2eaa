// SPDX-License-Identifier: BSD-3-Clause
// Observer of the internals of collective calls, file-system clients and servers, for monitors that trace them.
// Everything is reported at its simulated instant, in maestro. An observer must not change simulated times.
#pragma once
#include "base/time.hpp"
#include "hw/machine/operation.hpp"
#include "hw/packets/core/packet_network.hpp"
#include "hw/packets/core/parallel_file_system.hpp"

#include <cstdint>

namespace hypermon {

/// Layers of PVFS, from the client to the disk (HDTrace sec. 6). The disk is below TROVE and performs one operation at
/// a time.
enum class IoLayer : std::uint8_t { client, bmi, flow, req, server, trove, disk };

/// An operation that has begun in a layer.
struct IoStep {
  OperationId id;    ///< id of the step
  OperationId cause; ///< id of the step that caused it: an MPI call, a client's request, a server's request, ...
  IoLayer layer{};
  Station at{};          ///< the client's or the server's station
  const char* name = ""; ///< static: "write_sm", "small_io", "receive", "seek", ...
  FileRequest::Kind kind{};
  FileId file{};
  std::int64_t offset = -1; ///< offset in the server's file; -1: none
  std::int64_t bytes = 0;
};

/// A message within a collective call or of the point-to-point protocol.
struct MessageStep {
  OperationId id;
  OperationId cause;          ///< the sender's MPI call
  OperationId receivers;      ///< the receiver's MPI call, if it is already known
  const char* algorithm = ""; ///< static: "binomial_scatter", "eager", ...
  std::int32_t step = 0;      ///< step of the algorithm, from 0 on
  std::int32_t from = 0;      ///< ranks, among the processes of all programs
  std::int32_t to = 0;
  std::int64_t bytes = 0;
};

class IoObserver {
public:
  virtual ~IoObserver() = default;
  virtual void begins(Time /*now*/, const IoStep& /*step*/) {}
  virtual void begins(Time /*now*/, const MessageStep& /*step*/) {}
  /// End of an IoStep or a MessageStep.
  virtual void ends(Time /*now*/, OperationId /*id*/) {}
  /// Number of pending operations in a layer of a server, whenever it changes.
  virtual void pending(Time /*now*/, IoLayer /*layer*/, Station /*at*/, std::int64_t /*operations*/) {}
  /// A part of a station's hardware starts or stops working, for utilisation and power.
  enum class Part : std::uint8_t { processor, interface, disk };
  virtual void busy(Time /*now*/, Station /*at*/, Part /*part*/, bool /*works*/) {}
};

} // namespace hypermon
