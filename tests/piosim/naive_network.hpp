// SPDX-License-Identifier: BSD-3-Clause
// The network's rules, done nanosecond by nanosecond: at each one all stages are looked at for something that is due.
// Of what is due at once, what was decided first comes first: everything that will happen has a number. Stages are
// known by their names: i interface, u and d internal edges (each with its computer and the rank on it), V vertex of
// the graph, E direction of an edge of the graph.
#pragma once
#include "base/time.hpp"
#include "hw/packets/core/graph.hpp"
#include "hw/packets/core/params.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hypermon::testing {

class NaiveNetwork {
public:
  struct Message {
    std::int64_t when;
    int from;
    int to;
    int from_rank; ///< rank on its computer
    int to_rank;   ///<
    std::int64_t bytes;
    std::int64_t left = -1;    ///< dates in ns, known at the end
    std::int64_t arrived = -1; ///<
    std::int64_t made = 0;
    std::int64_t gone = 0;
    std::int64_t come = 0;
  };

  /// Ports that a packet leaves vertices by, from one station to another.
  using Route = std::function<std::vector<piosim::Port>(int from, int to)>;

  NaiveNetwork(const PacketParams& params, piosim::NetworkGraph graph, Route route)
      : p_(params), graph_(std::move(graph)), route_(std::move(route)) {}

  void run(std::vector<Message>& messages) {
    messages_ = &messages;
    for (now_ = 0; !over(); ++now_) {
      for (std::size_t m = 0; m < messages.size(); ++m)
        if (messages[m].when == now_) make(m);
      for (const piosim::Outage& outage : graph_.outages)
        if (now_ == outage.until.ps() / 1000)
          for (const bool backward : {false, true}) start('E' + std::to_string(piosim::port(outage.edge, backward)));
      while (one_thing()) {
      }
    }
  }

private:
  struct Packet {
    std::size_t message;
    std::int64_t bytes;
    std::vector<std::string> way;
    std::size_t at = 0; // place on its way
    std::string from;   // the channel that it left last
    std::int64_t took = 0;
  };
  struct Channel {
    std::deque<Packet> waiting;
    std::int64_t under_way = 0;
    std::int64_t under_way_ns = 0;
    bool held = false;
  };
  struct Stage {
    std::map<std::string, Channel> channels;
    std::list<std::string> turn;
    bool busy = false;
    Packet current;
    std::string current_channel;
    std::int64_t end = 0;
    std::uint64_t number = 0;
  };
  struct Flight {
    Packet packet;
    std::int64_t arrives;
    std::uint64_t number;
  };

  bool over() const {
    return std::ranges::all_of(*messages_, [](const Message& m) { return m.arrived >= 0; });
  }
  static std::int64_t ns(std::int64_t bytes, double mib_per_s) {
    return bytes * 1'000'000'000 / std::llround(mib_per_s * 1048576);
  }
  static std::uint32_t number_of(const std::string& stage) {
    return static_cast<std::uint32_t>(std::stoul(stage.substr(1)));
  }
  const piosim::Edge& edge(const std::string& stage) const { return graph_.edges[number_of(stage) / 2]; }
  double rate(const std::string& stage) const {
    switch (stage[0]) {
    case 'i':
      return p_.interface_mib_per_s;
    case 'V':
      return graph_.vertices[number_of(stage)].is_switch ? p_.switch_mib_per_s : p_.memory_mib_per_s;
    case 'E':
      return edge(stage).mib_per_s;
    default:
      return p_.internal_mib_per_s;
    }
  }
  std::int64_t latency(const std::string& stage) const {
    switch (stage[0]) {
    case 'u':
    case 'd':
      return Time(p_.internal_latency_us).ps() / 1000;
    case 'E':
      return edge(stage).latency.ps() / 1000;
    default:
      return 0;
    }
  }
  bool is_out(const std::string& stage) const {
    return stage[0] == 'E' && std::ranges::any_of(graph_.outages, [&](const piosim::Outage& outage) {
             return outage.edge == number_of(stage) / 2 && outage.from.ps() / 1000 <= now_ &&
                    now_ < outage.until.ps() / 1000;
           });
  }
  /// The interface's: all ranks of a computer with one interface have the same.
  std::string name(int computer, int rank) const {
    const auto number = static_cast<std::size_t>(computer);
    const bool own = number < graph_.interfaces.size() && graph_.interfaces[number] > 1;
    return std::to_string(computer) + " rank " + std::to_string(own ? rank : 0);
  }
  std::string sender(const Message& m) const { return name(m.from, m.from_rank); }
  std::string receiver(const Message& m) const { return name(m.to, m.to_rank); }
  std::vector<std::string> way(const Message& m) const {
    std::vector<std::string> found{'i' + sender(m), 'u' + sender(m), 'V' + std::to_string(m.from)};
    for (const piosim::Port out : route_(m.from, m.to)) {
      found.push_back('E' + std::to_string(out));
      found.push_back('V' + std::to_string(graph_.end_of(out)));
    }
    found.insert(found.end(), {'d' + receiver(m), 'i' + receiver(m)});
    return found;
  }
  /// Name of the channel of a packet at this place of its way.
  std::string channel(const Packet& packet) const {
    const Message& message = (*messages_)[packet.message];
    const bool last = packet.at + 1 == packet.way.size();
    std::string found = (last ? "in" : "to") + receiver(message);
    if (p_.flow_control == FlowControl::pair && !last) found += " of " + sender(message);
    return found;
  }

  void make(std::size_t number) {
    Message& message = (*messages_)[number];
    const std::int64_t bytes = std::min<std::int64_t>(p_.packet_bytes.number, message.bytes - message.made);
    message.made += bytes;
    Packet packet;
    packet.message = number;
    packet.bytes = bytes;
    packet.way = way(message);
    arrive(packet);
  }
  void arrive(const Packet& packet) {
    Stage& stage = stages_[packet.way[packet.at]];
    stage.channels[channel(packet)].waiting.push_back(packet);
    takes_turns(stage, channel(packet));
    start(packet.way[packet.at]);
  }
  static void takes_turns(Stage& stage, const std::string& name) {
    const Channel& own = stage.channels[name];
    if (!own.held && !own.waiting.empty() && std::ranges::find(stage.turn, name) == stage.turn.end())
      stage.turn.push_back(name);
  }
  void start(const std::string& name) {
    Stage& stage = stages_[name];
    if (stage.busy || stage.turn.empty() || is_out(name)) return;
    stage.current_channel = stage.turn.front();
    stage.turn.pop_front();
    Channel& own = stage.channels[stage.current_channel];
    const Packet before = own.waiting.front();
    own.waiting.pop_front();
    stage.current = before;
    stage.current.took = ns(before.bytes, rate(name));
    stage.busy = true;
    stage.end = now_ + stage.current.took;
    stage.number = ++decided_;
    own.under_way_ns += stage.current.took;
    ++own.under_way;
    own.held = p_.flow_control != FlowControl::none && own.under_way_ns >= most(name);
    if (before.at > 0) return begun(before.way[before.at - 1], before.from, before.took);
    Message& message = (*messages_)[before.message];
    message.gone += before.bytes;
    if (message.made < message.bytes) make(before.message);
    if (message.gone == message.bytes) message.left = now_;
  }
  std::int64_t most(const std::string& name) const { return latency(name) + ns(p_.packet_bytes.number, rate(name)); }
  void begun(const std::string& at, const std::string& name, std::int64_t took) {
    Stage& stage = stages_[at];
    Channel& own = stage.channels[name];
    own.under_way_ns -= took;
    --own.under_way;
    if (!own.held || (own.under_way > 0 && own.under_way_ns >= most(at))) return;
    own.held = false;
    takes_turns(stage, name);
    start(at);
  }
  void end(const std::string& name) {
    Stage& stage = stages_[name];
    stage.busy = false;
    Packet packet = stage.current;
    packet.from = stage.current_channel;
    takes_turns(stage, packet.from);
    if (++packet.at < packet.way.size()) {
      flights_.push_back({packet, now_ + latency(name), ++decided_});
    } else {
      Message& message = (*messages_)[packet.message];
      message.come += packet.bytes;
      if (message.come == message.bytes) message.arrived = now_;
      begun(name, packet.from, packet.took);
    }
    start(name);
  }
  /// Performs the due step that was decided first. Returns false if none is due.
  bool one_thing() {
    const std::string* ends = nullptr;
    std::uint64_t first = ~0ULL;
    for (const auto& [name, stage] : stages_)
      if (stage.busy && stage.end == now_ && stage.number < first) {
        ends = &name;
        first = stage.number;
      }
    auto arrives = flights_.end();
    for (auto f = flights_.begin(); f != flights_.end(); ++f)
      if (f->arrives == now_ && f->number < first) {
        arrives = f;
        first = f->number;
      }
    if (arrives != flights_.end()) {
      const Packet packet = arrives->packet;
      flights_.erase(arrives);
      arrive(packet);
      return true;
    }
    if (ends == nullptr) return false;
    end(*ends);
    return true;
  }

  PacketParams p_;
  piosim::NetworkGraph graph_;
  Route route_;
  std::vector<Message>* messages_ = nullptr;
  std::map<std::string, Stage> stages_;
  std::list<Flight> flights_;
  std::int64_t now_ = 0;
  std::uint64_t decided_ = 0;
};

} // namespace hypermon::testing
