// SPDX-License-Identifier: BSD-3-Clause
// Places of agents and clients, and their communication over TCP connections between their ports.
#pragma once
#include "hw/machine/site.hpp"
#include "sw/monitors/scms/core/design.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace hypermon::scms {

/// Messages and CPU time of one agent or client.
struct Traffic {
  std::array<std::uint64_t, kinds> messages{}; ///< sent, by Kind
  std::array<std::uint64_t, kinds> bytes{};
  Time cpu; ///< CPU time of handling messages and of reading values
};

class Wiring {
public:
  /// `places`: of the agents, by Peer. References must outlive this object.
  Wiring(const Design& design, Surroundings& around, NetworkId network, std::int64_t writes, std::vector<Place> places);

  const Design& design() const { return design_; }
  Surroundings& around() const { return around_; }
  NetworkId network() const { return network_; }
  const Place& place(Peer peer) const { return places_.at(index(peer)); }
  /// Adds a client. Call before the run begins.
  Peer add_client(const Place& place);
  /// Each peer has its own port at its place.
  static std::uint32_t port(Peer peer) { return first_port + index(peer); }
  Address address(Peer peer) const { return {place(peer), port(peer)}; }
  static Peer peer_at(const Address& from) { return Peer{from.port - first_port}; }
  const Traffic& traffic(Peer peer) const { return traffic_.at(index(peer)); }
  Traffic& traffic(Peer peer) { return traffic_.at(index(peer)); }

  /// Takes CPU time of the peer's computer.
  void work(Daemon& self, Peer peer, Time cpu);
  /// For each message in order: takes its CPU time, then sends it.
  void deliver(Daemon& self, Peer from, const Outbox& out);

private:
  std::int64_t header_bytes(const Message& message) const;

  static constexpr std::uint32_t first_port = 16;

  const Design& design_;
  Surroundings& around_;
  NetworkId network_;
  std::int64_t writes_;
  std::vector<Place> places_;    // by Peer
  std::vector<Traffic> traffic_; // by Peer
};

} // namespace hypermon::scms
