// SPDX-License-Identifier: BSD-3-Clause
// A store-and-forward packet network, as a program's MPI library and a file system's client use it.
#pragma once
#include "base/time.hpp"
#include "hw/machine/operation.hpp"

#include <cstdint>
#include <functional>

namespace hypermon {

/// A computer on the network: the compute nodes in order, then the file servers' own computers.
enum class Station : std::uint32_t {};

/// End of a message: a network interface of a computer. The ranks of a computer have one each or share one
/// (packets.interfaces).
struct Endpoint {
  constexpr Endpoint() = default;
  /// `of_rank`: the rank's number within its computer.
  constexpr Endpoint(Station computer, std::uint32_t of_rank = 0) : station(computer), rank(of_rank) {}

  Station station{};
  std::uint32_t rank = 0;

  bool operator==(const Endpoint&) const = default;
};

/// Traffic between a computer and others, over all its interfaces. A packet counts when the interface has served it.
struct InterfaceTraffic {
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t packets_sent = 0;
  std::uint64_t packets_received = 0;
};

class PacketNetwork {
public:
  virtual ~PacketNetwork() = default;
  using Done = std::function<void()>;

  /// Sends a message from now on; may be called from anywhere. The callbacks run in maestro at the simulated instant:
  /// `left` when the sender's interface begins to serve the last packet, `arrived` when the receiver's interface has
  /// served it. Either may be empty.
  virtual void send(Endpoint from, Endpoint to, std::int64_t bytes, OperationId cause, Done left, Done arrived) = 0;
  /// Occupies the station's processors for `cycles` at the station's speed, shared with its other jobs.
  virtual void work(Station at, std::int64_t cycles, Done done) = 0;
  /// A step of a library command, the smallest job.
  virtual void step(Station at, Done done) = 0;
  virtual InterfaceTraffic traffic(Station at) const = 0;
};

} // namespace hypermon
