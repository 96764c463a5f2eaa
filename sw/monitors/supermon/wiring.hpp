// SPDX-License-Identifier: BSD-3-Clause
// Places of Supermon's processes, and their communication over TCP connections between their ports.
#pragma once
#include "hw/machine/site.hpp"
#include "sw/monitors/supermon/core/process.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::supermon {

/// Messages and CPU time of one process.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  Time cpu;

  Traffic& operator+=(const Traffic& more) {
    messages += more.messages;
    bytes += more.bytes;
    cpu += more.cpu;
    return *this;
  }
};

class Wiring {
public:
  /// `places`: of daemons and clients, by Peer.
  Wiring(NetworkId network, std::vector<Place> places)
      : network_(network), places_(std::move(places)), traffic_(places_.size()) {}

  const Place& place(Peer peer) const { return places_.at(index(peer)); }
  /// Each peer has its own port at its place.
  static std::uint32_t port(Peer peer) { return first_port + index(peer); }
  Address address(Peer peer) const { return {place(peer), port(peer)}; }
  static Peer peer_at(const Address& from) { return Peer{from.port - first_port}; }
  const Traffic& traffic(Peer peer) const { return traffic_.at(index(peer)); }

  /// Takes CPU time of the peer's computer.
  void work(Daemon& self, Peer peer, Time cpu) {
    if (cpu <= Time{}) return;
    self.compute(cpu);
    traffic_[index(peer)].cpu += cpu;
  }
  /// For each message in order: takes its CPU time, then sends it.
  void deliver(Daemon& self, Peer from, const Outbox& out) {
    for (const Send& send : out) {
      work(self, from, send.cpu);
      const auto bytes = static_cast<std::int64_t>(send.text->size());
      ++traffic_[index(from)].messages;
      traffic_[index(from)].bytes += send.text->size();
      self.stream(network_, port(from), address(send.to), {bytes}, send.text);
    }
  }

private:
  static constexpr std::uint32_t first_port = 2709; // Supermon's own port

  NetworkId network_;
  std::vector<Place> places_;    // by Peer
  std::vector<Traffic> traffic_; // by Peer
};

} // namespace hypermon::supermon
