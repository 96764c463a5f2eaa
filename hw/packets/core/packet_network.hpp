// SPDX-License-Identifier: BSD-3-Clause
// A network of packets that are stored and forwarded, as a program's MPI library and a file system's client see it.
#pragma once
#include "base/time.hpp"
#include "hw/machine/operation.hpp"

#include <cstdint>
#include <functional>

namespace hypermon {

/// A computer on the network: the compute nodes in their order, then the file servers' own.
enum class Station : std::uint32_t {};

/// Where messages begin and end: a network interface of a computer. The ranks of a computer have one each, or share
/// one (packets.interfaces).
struct Endpoint {
  constexpr Endpoint() = default;
  /// `of_rank`: the rank's number among those of the computer.
  constexpr Endpoint(Station computer, std::uint32_t of_rank = 0) : station(computer), rank(of_rank) {}

  Station station{};
  std::uint32_t rank = 0;

  bool operator==(const Endpoint&) const = default;
};

/// Between a computer and others, over all its interfaces. A packet counts when the interface has served it.
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

  /// A message of so many bytes, from now on; from anywhere. Called back in maestro at the simulated instant: `left`
  /// when the sender's interface has begun to serve its last packet, `arrived` when the receiver's has served it.
  /// Either may be empty.
  virtual void send(Endpoint from, Endpoint to, std::int64_t bytes, OperationId cause, Done left, Done arrived) = 0;
  /// The station's processors work: `cycles` at the station's speed, shared with what else runs there.
  virtual void work(Station at, std::int64_t cycles, Done done) = 0;
  /// A step of a command of the library: the least job that there is.
  virtual void step(Station at, Done done) = 0;
  virtual InterfaceTraffic traffic(Station at) const = 0;
};

} // namespace hypermon
