// SPDX-License-Identifier: BSD-3-Clause
// A network of packets. Every packet is stored and forwarded by each stage on its way:
//
//   interface - internal edge - memory - edge - switch [- uplink - switch of switches - uplink - switch]
//             - edge - memory - internal edge - interface
//
// A stage serves one packet at a time; an edge has a stage for each direction, all else has one. An edge's latency is
// added behind it, while it serves the next packet. Packets wait in channels, one for every final target; channels are
// served in turn. A channel is held while too much of what it has sent on has not been begun by the next stage.
#pragma once
#include "platforms/piosim/core/network.hpp"
#include "platforms/piosim/core/pool.hpp"
#include "platforms/piosim/core/rate.hpp"

#include <unordered_map>
#include <vector>

namespace hypermon::piosim {

class PacketFabric : public Network, Handler {
public:
  PacketFabric(const PacketParams& params, std::size_t stations, Events& events, const IoObservers& observers);

  std::uint32_t send(Station from, Station to, std::int64_t bytes, std::int64_t available, MessageUser& user,
                     std::uint64_t tag) override;
  void append(std::uint32_t message, std::int64_t bytes) override;
  void stop(Station station) override;
  void go(Station station) override;
  NetworkCounts counts() const override;

private:
  static constexpr std::uint32_t none = ~0U;
  enum What : std::uint32_t { served, arrives };
  enum class Kind : std::uint8_t {
    interface,
    inner_up,
    memory,
    edge_up,
    edge_down,
    inner_down,
    leaf,
    uplink_up,
    uplink_down,
    root
  };

  struct Message {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t bytes = 0;
    std::int64_t available = 0;
    std::int64_t made = 0; // into packets
    std::int64_t left = 0;
    std::int64_t arrived = 0;
    MessageUser* user = nullptr;
    std::uint64_t tag = 0;
  };
  struct Packet {
    std::uint32_t message = none;
    std::uint32_t bytes = 0;
    std::uint32_t stage = 0;
    std::uint32_t channel = none;
    std::uint32_t before = none; // the channel of the stage before
    std::uint32_t next = none;   // in its channel
    bool descends = false;       // has come to the inner edge of its target
    Time service;                // of the stage that it is in, or was in last
  };
  struct Channel {
    std::uint32_t stage = 0;
    std::uint32_t first = none;
    std::uint32_t last = none;
    std::uint32_t next = none; // of those that are in turn
    std::uint32_t under_way = 0;
    Time under_way_for; // the service times of these
    bool held = false;
    bool stopped = false;
    bool in_turn = false;
    bool waits() const { return first != none; }
  };
  struct Stage {
    Kind kind{};
    std::uint32_t number = 0; // of the station or the leaf
    Rate rate;
    Time latency;
    Time most; // under way of a channel
    std::uint32_t current = none;
    std::uint32_t first = none; // channels in turn
    std::uint32_t last = none;
    std::uint64_t queued = 0;
    std::uint64_t longest_queue = 0;
    Time busy;
    std::unordered_map<std::uint64_t, std::uint32_t> channels{};
  };

  void handle(std::uint32_t what, std::uint32_t which) override;
  void add_stage(Kind kind, std::size_t number, double mib_per_s, Time latency);
  std::uint32_t of_station(std::uint32_t station, Kind kind) const {
    return station * per_station + static_cast<std::uint32_t>(kind);
  }
  std::uint32_t of_leaf(std::uint32_t leaf, Kind kind) const {
    return first_leaf_ + leaf * 3 + static_cast<std::uint32_t>(kind) - static_cast<std::uint32_t>(Kind::leaf);
  }
  std::uint32_t leaf_of(std::uint32_t station) const { return fan_out_ == 0 ? 0 : station / fan_out_; }
  std::uint32_t after(const Stage& stage, const Packet& packet) const;
  std::uint32_t channel_of(Stage& stage, std::uint32_t number, const Packet& packet);
  Channel& incoming(Station station);
  void make(std::uint32_t message);
  void arrive(std::uint32_t packet);
  void put_in_turn(std::uint32_t channel);
  void start(std::uint32_t stage);
  void ends(std::uint32_t stage);
  void begun_behind(std::uint32_t channel, Time service);
  void deliver(const Packet& packet);
  void tell_busy(const Stage& stage, bool works) const;

  static constexpr std::uint32_t per_station = 6;
  Events& events_;
  const IoObservers& observers_;
  FlowControl flow_control_;
  std::int64_t packet_bytes_;
  std::uint32_t fan_out_;
  std::uint32_t first_leaf_ = 0;
  std::vector<Stage> stages_;
  std::vector<Channel> channels_;
  Pool<Packet> packets_;
  Pool<Message> messages_;
  NetworkCounts counts_;
};

} // namespace hypermon::piosim
