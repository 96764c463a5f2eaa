// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/wiring.hpp"

#include <algorithm>

namespace hypermon::scms {

Wiring::Wiring(const Design& design, Surroundings& around, NetworkId network, std::int64_t writes,
               std::vector<Place> places)
    : design_(design), around_(around), network_(network), writes_(writes), places_(std::move(places)),
      traffic_(places_.size()) {}

Peer Wiring::add_client(const Place& place) {
  places_.push_back(place);
  traffic_.emplace_back();
  return Peer{static_cast<std::uint32_t>(places_.size() - 1)};
}

void Wiring::work(Daemon& self, Peer peer, Time cpu) {
  if (cpu <= Time{}) return;
  self.compute(cpu);
  traffic(peer).cpu += cpu;
}

void Wiring::deliver(Daemon& self, Peer from, const Outbox& out) {
  for (const Send& send : out) {
    work(self, from, send.cpu);
    Traffic& sent = traffic(from);
    const auto kind = static_cast<std::size_t>(kind_of(*send.message));
    ++sent.messages[kind];
    sent.bytes[kind] += static_cast<std::uint64_t>(send.bytes);
    const std::int64_t header = std::min(send.bytes, header_bytes(*send.message));
    std::vector<std::int64_t> writes{send.bytes};
    if (writes_ > 1 && header < send.bytes) writes = {header, send.bytes - header};
    self.stream(network_, port(from), address(send.to), std::move(writes), send.message);
  }
}

std::int64_t Wiring::header_bytes(const Message& message) const {
  const bool has_values = kind_of(message) == Kind::reply || kind_of(message) == Kind::push;
  return has_values ? design_.costs.reply : design_.costs.request;
}

} // namespace hypermon::scms
