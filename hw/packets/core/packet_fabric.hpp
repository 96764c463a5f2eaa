// SPDX-License-Identifier: BSD-3-Clause
// A packet network. Each stage on a packet's route stores the whole packet and forwards it:
//
//   interface - internal edge - memory - edge - switch or other computer's memory - edge - ... - memory
//             - internal edge - interface
//
// A stage serves one packet at a time. An edge has a stage for each direction; an interface, a memory and a switch have
// one for all directions. A computer has one interface with its internal edge, or one for each of its ranks. An edge's
// latency is added after it, while it serves the next packet. Packets wait in channels, one for each final target, and
// a stage serves its channels in turn. A channel is held while the next stage has not begun too much of what the
// channel has forwarded.
#pragma once
#include "hw/packets/core/graph.hpp"
#include "hw/packets/core/network.hpp"
#include "hw/packets/core/pool.hpp"
#include "hw/packets/core/rate.hpp"

#include <unordered_map>
#include <vector>

namespace hypermon::piosim {

class PacketFabric : public Network, Handler {
public:
  PacketFabric(const PacketParams& params, NetworkGraph graph, Events& events, const IoObservers& observers);

  std::uint32_t send(Endpoint from, Endpoint to, std::int64_t bytes, std::int64_t available, MessageUser& user,
                     std::uint64_t tag) override;
  void append(std::uint32_t message, std::int64_t bytes) override;
  void stop(Station station) override;
  void go(Station station) override;
  NetworkCounts counts() const override;
  InterfaceTraffic traffic(Station station) const override { return traffic_[static_cast<std::uint32_t>(station)]; }
  std::vector<EdgeCounts> edges() const override;

private:
  static constexpr std::uint32_t none = ~0U;
  // value of Stage::current while an outage keeps the stage from serving
  static constexpr std::uint32_t is_out = none - 1;
  enum What : std::uint32_t { served, arrives, goes_out, comes_back };
  enum class Kind : std::uint8_t { interface, inner_up, inner_down, vertex, edge };

  struct Message {
    std::int64_t bytes = 0;
    std::int64_t available = 0;
    std::int64_t made = 0; // bytes that have been put into packets
    std::int64_t left = 0;
    std::int64_t arrived = 0;
    MessageUser* user = nullptr;
    std::uint64_t tag = 0;
    std::uint32_t channel = none; // channel of the sender's interface
  };
  struct Packet {
    std::uint32_t message = none;
    std::uint32_t bytes = 0;
    std::uint32_t channel = none;
    std::uint32_t before = none; // channel of the previous stage
    std::uint32_t next = none;   // next packet in its channel
    Time service;                // service time of its current stage, or of the last one
  };
  /// Packets of a stage for one target.
  struct Channel {
    std::uint32_t stage = 0;
    std::uint32_t first = none;
    std::uint32_t last = none;
    std::uint32_t next = none;   // next of the channels that are in turn
    std::uint32_t onward = none; // channel of the next stage, known once a packet has gone there
    std::uint32_t under_way = 0;
    Time under_way_for;          // sum of their service times
    std::uint32_t target = 0;    // number of an interface
    std::uint32_t source = none; // source of the flow, if flow control is by pair
    bool delivers = false;       // at the target's interface: receives arriving packets
    bool held = false;
    bool stopped = false;
    bool in_turn = false;
    bool waits() const { return first != none; }
  };
  struct Stage {
    Kind kind{};
    std::uint32_t number = 0; // number of the interface, the vertex, or the edge's port
    Rate rate;
    Time latency;
    Time most; // limit of a channel's service times under way
    std::uint32_t current = none;
    std::uint32_t outages = 0;  // number of current outages
    std::uint32_t first = none; // first of the channels in turn
    std::uint32_t last = none;
    std::uint64_t queued = 0;
    std::uint64_t longest_queue = 0;
    std::uint64_t packets = 0;
    Time busy;
    std::unordered_map<std::uint64_t, std::uint32_t> channels{};
  };

  void handle(std::uint32_t what, std::uint32_t which) override;
  void add_stage(Kind kind, std::size_t number, double mib_per_s, Time latency);
  void add_interface(std::uint32_t station, Time internal_latency, const PacketParams& params);
  std::uint32_t interface_of(Endpoint end) const;
  static std::uint32_t of_interface(std::uint32_t interface, Kind kind) {
    return interface * per_interface + static_cast<std::uint32_t>(kind);
  }
  std::uint32_t of_vertex(std::uint32_t vertex) const { return first_vertex_ + vertex; }
  std::uint32_t of_port(Port port) const { return first_port_ + port; }
  /// The channel of that stage. Delivering channels belong to no source.
  std::uint32_t channel_of(std::uint32_t stage, std::uint32_t target, std::uint32_t source, bool delivers = false);
  std::uint32_t onward_from(std::uint32_t channel);
  std::uint32_t incoming(std::uint32_t interface) {
    return channel_of(of_interface(interface, Kind::interface), interface, none, true);
  }
  void make(std::uint32_t message);
  void arrive(std::uint32_t packet);
  void put_in_turn(std::uint32_t channel);
  void start(std::uint32_t stage);
  void ends(std::uint32_t stage);
  void begun_behind(std::uint32_t channel, Time service);
  void count(const Packet& packet);
  void deliver(const Packet& packet);
  void go_out(std::uint32_t outage);
  void come_back(std::uint32_t outage);
  void tell_busy(const Stage& stage, bool works);

  static constexpr std::uint32_t per_interface = 3;
  Events& events_;
  const IoObservers& observers_;
  NetworkGraph graph_;
  FlowControl flow_control_;
  std::int64_t packet_bytes_;
  // first interface of each station; one more entry has the number of all interfaces
  std::vector<std::uint32_t> first_interface_;
  std::vector<std::uint32_t> station_of_;         // station of each interface
  std::vector<std::uint32_t> interfaces_at_work_; // number of working interfaces of each station; for observers
  std::vector<InterfaceTraffic> traffic_;         // traffic of each station
  std::uint32_t first_vertex_ = 0;
  std::uint32_t first_port_ = 0;
  std::vector<Stage> stages_;
  std::vector<Channel> channels_;
  Pool<Packet> packets_;
  Pool<Message> messages_;
  NetworkCounts counts_;
};

} // namespace hypermon::piosim
