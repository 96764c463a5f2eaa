// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/packet_fabric.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::piosim {

PacketFabric::PacketFabric(const PacketParams& params, NetworkGraph graph, Events& events, const IoObservers& observers)
    : events_(events), observers_(observers), graph_(std::move(graph)), flow_control_(params.flow_control),
      packet_bytes_(params.packet_bytes.number) {
  const Time inner = whole_ns(params.internal_latency_us);
  for (std::uint32_t s = 0; s < graph_.stations; ++s) {
    first_interface_.push_back(static_cast<std::uint32_t>(station_of_.size()));
    const std::uint32_t interfaces = s < graph_.interfaces.size() ? graph_.interfaces[s] : 1;
    for (std::uint32_t i = 0; i < interfaces; ++i) add_interface(s, inner, params);
  }
  first_interface_.push_back(static_cast<std::uint32_t>(station_of_.size()));
  interfaces_at_work_.resize(graph_.stations);
  traffic_.resize(graph_.stations);
  first_vertex_ = static_cast<std::uint32_t>(stages_.size());
  for (std::size_t v = 0; v < graph_.vertices.size(); ++v)
    add_stage(Kind::vertex, v, graph_.vertices[v].is_switch ? params.switch_mib_per_s : params.memory_mib_per_s, {});
  first_port_ = static_cast<std::uint32_t>(stages_.size());
  for (std::size_t p = 0; p < 2 * graph_.edges.size(); ++p) {
    const Edge& edge = graph_.edges[edge_of(static_cast<Port>(p))];
    add_stage(Kind::edge, p, edge.mib_per_s, edge.latency);
  }
  // Begins come before ends, so that an outage that begins when another one ends leaves no gap.
  for (std::uint32_t o = 0; o < graph_.outages.size(); ++o) events_.at(graph_.outages[o].from, *this, goes_out, o);
  for (std::uint32_t o = 0; o < graph_.outages.size(); ++o) events_.at(graph_.outages[o].until, *this, comes_back, o);
}

void PacketFabric::add_interface(std::uint32_t station, Time internal_latency, const PacketParams& params) {
  const std::size_t number = station_of_.size();
  station_of_.push_back(station);
  add_stage(Kind::interface, number, params.interface_mib_per_s, {});
  add_stage(Kind::inner_up, number, params.internal_mib_per_s, internal_latency);
  add_stage(Kind::inner_down, number, params.internal_mib_per_s, internal_latency);
}

/// Ranks without interfaces of their own share the only one of their computer.
std::uint32_t PacketFabric::interface_of(Endpoint end) const {
  const auto station = static_cast<std::uint32_t>(end.station);
  const std::uint32_t first = first_interface_[station];
  return first_interface_[station + 1] - first == 1 ? first : first + end.rank;
}

void PacketFabric::add_stage(Kind kind, std::size_t number, double mib_per_s, Time latency) {
  Stage stage;
  stage.kind = kind;
  stage.number = static_cast<std::uint32_t>(number);
  stage.rate = Rate::of_mib_per_s(mib_per_s);
  stage.latency = latency;
  stage.most = latency + time_of(packet_bytes_, stage.rate);
  stages_.push_back(std::move(stage));
}

// A message from an interface to itself passes it twice, in two channels; with one channel the two passes could block
// each other.
std::uint32_t PacketFabric::channel_of(std::uint32_t number, std::uint32_t target, std::uint32_t source,
                                       bool delivers) {
  std::uint64_t key = static_cast<std::uint64_t>(target) << 1 | (delivers ? 1U : 0U);
  if (source != none) key |= static_cast<std::uint64_t>(source + 1) << 33;
  const auto [found, is_new] = stages_[number].channels.try_emplace(key, static_cast<std::uint32_t>(channels_.size()));
  if (is_new) {
    Channel& channel = channels_.emplace_back();
    channel.stage = number;
    channel.target = target;
    channel.source = source;
    channel.delivers = delivers;
  }
  return found->second;
}

/// Determined by the channel's first packet: a route depends only on properties that distinguish channels.
std::uint32_t PacketFabric::onward_from(std::uint32_t number) {
  if (const std::uint32_t known = channels_[number].onward; known != none) [[likely]]
    return known;
  const Stage& stage = stages_[channels_[number].stage];
  const std::uint32_t target = channels_[number].target;
  const std::uint32_t source = channels_[number].source;
  std::uint32_t onward = none;
  switch (stage.kind) {
  case Kind::interface:
    onward = channel_of(of_interface(stage.number, Kind::inner_up), target, source);
    break;
  case Kind::inner_up:
    onward = channel_of(of_vertex(station_of_[stage.number]), target, source);
    break;
  case Kind::vertex:
    onward = channel_of(stage.number == station_of_[target]
                            ? of_interface(target, Kind::inner_down)
                            : of_port(graph_.routes->next(stage.number, station_of_[target])),
                        target, source);
    break;
  case Kind::edge:
    onward = channel_of(of_vertex(graph_.end_of(stage.number)), target, source);
    break;
  case Kind::inner_down:
    onward = incoming(target);
    break;
  }
  channels_[number].onward = onward;
  return onward;
}

std::uint32_t PacketFabric::send(Endpoint from, Endpoint to, std::int64_t bytes, std::int64_t available,
                                 MessageUser& user, std::uint64_t tag) {
  const std::uint32_t source = interface_of(from);
  Message message;
  message.channel = channel_of(of_interface(source, Kind::interface), interface_of(to),
                               flow_control_ == FlowControl::pair ? source : none);
  message.bytes = bytes;
  message.available = available;
  message.user = &user;
  message.tag = tag;
  const std::uint32_t number = messages_.add(message);
  ++counts_.messages;
  counts_.bytes += bytes;
  if (available > 0 || bytes == 0) make(number);
  return number;
}

void PacketFabric::append(std::uint32_t number, std::int64_t bytes) {
  Message& message = messages_[number];
  message.available += bytes;
  if (message.available - message.made >= packet_bytes_ || message.available == message.bytes) make(number);
}

/// Makes the message's next packet from the available bytes.
void PacketFabric::make(std::uint32_t number) {
  Message& message = messages_[number];
  Packet packet;
  packet.message = number;
  packet.bytes = static_cast<std::uint32_t>(std::min(packet_bytes_, message.available - message.made));
  message.made += packet.bytes;
  packet.channel = message.channel;
  ++counts_.packets;
  arrive(packets_.add(packet));
}

void PacketFabric::handle(std::uint32_t what, std::uint32_t which) {
  if (what == served) return ends(which);
  if (what == arrives) return arrive(which);
  what == goes_out ? go_out(which) : come_back(which);
}

void PacketFabric::arrive(std::uint32_t number) {
  Packet& packet = packets_[number];
  packet.next = none;
  Channel& channel = channels_[packet.channel];
  if (channel.waits())
    packets_[channel.last].next = number;
  else
    channel.first = number;
  channel.last = number;
  Stage& stage = stages_[channel.stage];
  stage.longest_queue = std::max(stage.longest_queue, ++stage.queued);
  put_in_turn(packet.channel);
  start(channel.stage);
}

void PacketFabric::put_in_turn(std::uint32_t number) {
  Channel& channel = channels_[number];
  if (channel.in_turn || channel.held || channel.stopped || !channel.waits()) return;
  Stage& stage = stages_[channel.stage];
  channel.in_turn = true;
  channel.next = none;
  if (stage.first == none)
    stage.first = number;
  else
    channels_[stage.last].next = number;
  stage.last = number;
}

void PacketFabric::start(std::uint32_t which) {
  Stage& stage = stages_[which];
  if (stage.current != none || stage.first == none) return;
  const std::uint32_t number = stage.first;
  Channel& channel = channels_[number];
  stage.first = channel.next;
  channel.in_turn = false;
  if (channel.stopped) return start(which);
  const std::uint32_t current = channel.first;
  Packet& packet = packets_[current];
  channel.first = packet.next;
  --stage.queued;
  stage.current = current;
  const Time service_before = packet.service;
  packet.service = time_of(packet.bytes, stage.rate);
  channel.under_way_for += packet.service;
  ++channel.under_way;
  if (flow_control_ != FlowControl::none && channel.under_way_for >= stage.most) channel.held = true;
  stage.busy += packet.service;
  ++stage.packets;
  events_.after(packet.service, *this, served, which);
  if (!observers_.empty()) [[unlikely]]
    tell_busy(stage, true);
  if (packet.before != none) return begun_behind(packet.before, service_before);
  // at the sender's interface: the message's next packet is made now
  const std::uint32_t owner = packet.message;
  const std::int64_t bytes = packet.bytes;
  Message& message = messages_[owner];
  message.left += bytes;
  const bool is_last = message.left == message.bytes;
  if (message.available > message.made) make(owner);
  message.user->part_left(message.tag, bytes);
  if (is_last) message.user->left(message.tag);
}

void PacketFabric::begun_behind(std::uint32_t number, Time service) {
  Channel& channel = channels_[number];
  channel.under_way_for -= service;
  --channel.under_way;
  if (!channel.held) return;
  if (channel.under_way > 0 && channel.under_way_for >= stages_[channel.stage].most) return;
  channel.held = false;
  put_in_turn(number);
  start(channels_[number].stage);
}

void PacketFabric::ends(std::uint32_t which) {
  Stage& stage = stages_[which];
  const std::uint32_t number = stage.current;
  stage.current = none;
  if (!observers_.empty()) [[unlikely]]
    tell_busy(stage, false);
  if (stage.outages > 0) [[unlikely]]
    stage.current = is_out;
  Packet& packet = packets_[number];
  if (stage.kind == Kind::interface) count(packet);
  put_in_turn(packet.channel);
  if (channels_[packet.channel].delivers) {
    const Packet at_its_end = packet;
    packets_.remove(number);
    deliver(at_its_end);
    begun_behind(at_its_end.channel, at_its_end.service);
  } else {
    packet.before = packet.channel;
    packet.channel = onward_from(packet.channel);
    events_.after(stage.latency, *this, arrives, number);
  }
  start(which);
}

/// Counts a packet that the sender's or the receiver's interface has served.
void PacketFabric::count(const Packet& packet) {
  const Channel& channel = channels_[packet.channel];
  const std::uint32_t source = station_of_[stages_[channels_[messages_[packet.message].channel].stage].number];
  const std::uint32_t target = station_of_[channel.target];
  if (source == target) return;
  InterfaceTraffic& traffic = traffic_[channel.delivers ? target : source];
  (channel.delivers ? traffic.bytes_received : traffic.bytes_sent) += packet.bytes;
  ++(channel.delivers ? traffic.packets_received : traffic.packets_sent);
}

void PacketFabric::deliver(const Packet& packet) {
  Message& message = messages_[packet.message];
  message.arrived += packet.bytes;
  MessageUser& user = *message.user;
  const std::uint64_t tag = message.tag;
  const bool is_last = message.arrived == message.bytes;
  if (is_last) messages_.remove(packet.message);
  user.part_arrived(tag, packet.bytes);
  if (is_last) user.arrived(tag);
}

void PacketFabric::stop(Station station) { channels_[incoming(interface_of(station))].stopped = true; }

void PacketFabric::go(Station station) {
  const std::uint32_t channel = incoming(interface_of(station));
  channels_[channel].stopped = false;
  put_in_turn(channel);
  start(channels_[channel].stage);
}

/// A packet in service is served to its end.
void PacketFabric::go_out(std::uint32_t outage) {
  const std::uint32_t edge = graph_.outages[outage].edge;
  for (const bool backward : {false, true}) {
    Stage& stage = stages_[of_port(port(edge, backward))];
    ++stage.outages;
    if (stage.current == none) stage.current = is_out;
  }
}

void PacketFabric::come_back(std::uint32_t outage) {
  const std::uint32_t edge = graph_.outages[outage].edge;
  for (const bool backward : {false, true}) {
    const std::uint32_t number = of_port(port(edge, backward));
    Stage& stage = stages_[number];
    if (--stage.outages > 0 || stage.current != is_out) continue;
    stage.current = none;
    start(number);
  }
}

NetworkCounts PacketFabric::counts() const {
  NetworkCounts counts = counts_;
  for (const Stage& stage : stages_) {
    counts.longest_queue = std::max(counts.longest_queue, stage.longest_queue);
    if (stage.kind == Kind::interface) counts.interface_busy = std::max(counts.interface_busy, stage.busy);
    if (stage.kind == Kind::vertex && graph_.vertices[stage.number].is_switch)
      counts.switch_busy = std::max(counts.switch_busy, stage.busy);
  }
  for (const EdgeCounts& edge : edges()) {
    Time& busiest = edge.is_uplink ? counts.uplink_busy : counts.edge_busy;
    busiest = std::max(busiest, edge.busy);
    counts.edges_passed += edge.packets;
  }
  return counts;
}

std::vector<EdgeCounts> PacketFabric::edges() const {
  std::vector<EdgeCounts> found;
  for (std::uint32_t e = 0; e < graph_.edges.size(); ++e) {
    const Vertex& first = graph_.vertices[graph_.edges[e].first];
    const Vertex& second = graph_.vertices[graph_.edges[e].second];
    const Stage& there = stages_[of_port(port(e, false))];
    const Stage& back = stages_[of_port(port(e, true))];
    found.push_back({first.name, second.name, first.is_switch && second.is_switch, there.packets + back.packets,
                     std::max(there.busy, back.busy)});
  }
  return found;
}

/// All interfaces of a station count as one part of it.
void PacketFabric::tell_busy(const Stage& stage, bool works) {
  if (stage.kind != Kind::interface) return;
  const std::uint32_t station = station_of_[stage.number];
  std::uint32_t& at_work = interfaces_at_work_[station];
  if ((works ? at_work++ : --at_work) > 0) return;
  observers_.notify([&](IoObserver& observer) {
    observer.busy(events_.now(), Station{station}, IoObserver::Part::interface, works);
  });
}

} // namespace hypermon::piosim
