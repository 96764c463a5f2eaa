// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/network.hpp"
#include "hw/packets/core/packet_fabric.hpp"
#include "hw/packets/core/pool.hpp"

#include <deque>
#include <utility>
#include <vector>

namespace hypermon::piosim {
namespace {

/// Every message arrives in one piece at the instant at which it is sent, in the order of sending.
class IdealNetwork : public Network, Handler {
public:
  IdealNetwork(std::size_t stations, Events& events)
      : events_(events), stopped_(stations), waiting_(stations), traffic_(stations) {}

  std::uint32_t send(Endpoint from, Endpoint to, std::int64_t bytes, std::int64_t available, MessageUser& user,
                     std::uint64_t tag) override {
    ++counts_.messages;
    counts_.bytes += bytes;
    const std::uint32_t number = messages_.add(
        {static_cast<std::uint32_t>(from.station), static_cast<std::uint32_t>(to.station), bytes, 0, 0, &user, tag});
    if (available > 0 || bytes == 0) move(number, available);
    return number;
  }
  void append(std::uint32_t message, std::int64_t bytes) override { move(message, bytes); }
  void stop(Station station) override { stopped_[static_cast<std::uint32_t>(station)] = true; }
  void go(Station station) override {
    const auto number = static_cast<std::uint32_t>(station);
    stopped_[number] = false;
    events_.after({}, *this, resume, number);
  }
  NetworkCounts counts() const override { return counts_; }
  InterfaceTraffic traffic(Station station) const override { return traffic_[static_cast<std::uint32_t>(station)]; }
  std::vector<EdgeCounts> edges() const override { return {}; }

private:
  enum What : std::uint32_t { leaves, arrives, resume };
  struct Message {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t bytes = 0;
    std::int64_t left = 0;
    std::int64_t arrived = 0;
    MessageUser* user = nullptr;
    std::uint64_t tag = 0;
  };
  struct Piece {
    std::uint32_t message = 0;
    std::int64_t bytes = 0;
  };

  void move(std::uint32_t message, std::int64_t bytes) {
    ++counts_.packets;
    events_.after({}, *this, leaves, pieces_.add({message, bytes}));
  }
  void handle(std::uint32_t what, std::uint32_t which) override {
    if (what == resume) return deliver_waiting(which);
    const Piece piece = pieces_[which];
    Message& message = messages_[piece.message];
    if (what == leaves) {
      message.left += piece.bytes;
      if (message.from != message.to) {
        traffic_[message.from].bytes_sent += static_cast<std::uint64_t>(piece.bytes);
        ++traffic_[message.from].packets_sent;
      }
      events_.after({}, *this, arrives, which);
      message.user->part_left(message.tag, piece.bytes);
      if (message.left == message.bytes) message.user->left(message.tag);
      return;
    }
    pieces_.remove(which);
    waiting_[message.to].push_back(piece);
    deliver_waiting(message.to);
  }
  void deliver_waiting(std::uint32_t station) {
    while (!stopped_[station] && !waiting_[station].empty()) {
      const Piece piece = waiting_[station].front();
      waiting_[station].pop_front();
      Message& message = messages_[piece.message];
      message.arrived += piece.bytes;
      if (message.from != message.to) {
        traffic_[message.to].bytes_received += static_cast<std::uint64_t>(piece.bytes);
        ++traffic_[message.to].packets_received;
      }
      const Message at_its_end = message;
      const bool is_last = message.arrived == message.bytes;
      if (is_last) messages_.remove(piece.message);
      at_its_end.user->part_arrived(at_its_end.tag, piece.bytes);
      if (is_last) at_its_end.user->arrived(at_its_end.tag);
    }
  }

  Events& events_;
  std::vector<bool> stopped_;
  std::vector<std::deque<Piece>> waiting_; // by station
  Pool<Message> messages_;
  Pool<Piece> pieces_;
  std::vector<InterfaceTraffic> traffic_; // by station
  NetworkCounts counts_;
};

} // namespace

std::unique_ptr<Network> make_network(const PacketParams& params, NetworkGraph graph, Events& events,
                                      const IoObservers& observers) {
  if (params.network == PacketModel::ideal) return std::make_unique<IdealNetwork>(graph.stations, events);
  return std::make_unique<PacketFabric>(params, std::move(graph), events, observers);
}

} // namespace hypermon::piosim
