// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/piosim/core/packet_fabric.hpp"

#include <algorithm>

namespace hypermon::piosim {

PacketFabric::PacketFabric(const PacketParams& params, std::size_t stations, Events& events,
                           const IoObservers& observers)
    : events_(events), observers_(observers), flow_control_(params.flow_control),
      packet_bytes_(params.packet_bytes.number), fan_out_(static_cast<std::uint32_t>(params.fan_out)) {
  if (fan_out_ >= stations) fan_out_ = 0; // one switch has them all
  const Time inner = whole_ns(params.internal_latency_us);
  const Time edge = whole_ns(params.edge_latency_us);
  for (std::size_t s = 0; s < stations; ++s) {
    add_stage(Kind::interface, s, params.interface_mib_per_s, {});
    add_stage(Kind::inner_up, s, params.internal_mib_per_s, inner);
    add_stage(Kind::memory, s, params.memory_mib_per_s, {});
    add_stage(Kind::edge_up, s, params.edge_mib_per_s, edge);
    add_stage(Kind::edge_down, s, params.edge_mib_per_s, edge);
    add_stage(Kind::inner_down, s, params.internal_mib_per_s, inner);
  }
  first_leaf_ = static_cast<std::uint32_t>(stages_.size());
  const std::size_t leaves = fan_out_ == 0 ? 1 : (stations + fan_out_ - 1) / fan_out_;
  const double uplink = params.uplink_mib_per_s > 0 ? params.uplink_mib_per_s : params.edge_mib_per_s;
  for (std::size_t l = 0; l < leaves; ++l) {
    add_stage(Kind::leaf, l, params.switch_mib_per_s, {});
    add_stage(Kind::uplink_up, l, uplink, whole_ns(params.uplink_latency_us));
    add_stage(Kind::uplink_down, l, uplink, whole_ns(params.uplink_latency_us));
  }
  add_stage(Kind::root, 0, params.switch_mib_per_s, {});
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

std::uint32_t PacketFabric::after(const Stage& stage, const Packet& packet) const {
  const Message& message = messages_[packet.message];
  switch (stage.kind) {
  case Kind::interface:
    return of_station(stage.number, Kind::inner_up);
  case Kind::inner_up:
    return of_station(stage.number, Kind::memory);
  case Kind::memory:
    return of_station(stage.number, message.to == stage.number ? Kind::inner_down : Kind::edge_up);
  case Kind::edge_up:
    return of_leaf(leaf_of(stage.number), Kind::leaf);
  case Kind::leaf:
    return leaf_of(message.to) == stage.number ? of_station(message.to, Kind::edge_down)
                                               : of_leaf(stage.number, Kind::uplink_up);
  case Kind::uplink_up:
    return static_cast<std::uint32_t>(stages_.size() - 1);
  case Kind::root:
    return of_leaf(leaf_of(message.to), Kind::uplink_down);
  case Kind::uplink_down:
    return of_leaf(stage.number, Kind::leaf);
  case Kind::edge_down:
    return of_station(stage.number, Kind::memory);
  case Kind::inner_down:
    return of_station(stage.number, Kind::interface);
  }
  return none;
}

// A message of a station to itself passes its interface twice, in two channels: else the two ways could hold each
// other.
std::uint32_t PacketFabric::channel_of(Stage& stage, std::uint32_t number, const Packet& packet) {
  const Message& message = messages_[packet.message];
  std::uint64_t key = static_cast<std::uint64_t>(message.to) << 1 | (packet.descends ? 1U : 0U);
  if (flow_control_ == FlowControl::pair && !packet.descends) key |= static_cast<std::uint64_t>(message.from + 1) << 33;
  const auto [found, is_new] = stage.channels.try_emplace(key, static_cast<std::uint32_t>(channels_.size()));
  if (is_new) channels_.emplace_back().stage = number;
  return found->second;
}

PacketFabric::Channel& PacketFabric::incoming(Station station) {
  const auto number = static_cast<std::uint32_t>(station);
  Stage& stage = stages_[of_station(number, Kind::interface)];
  const auto [found, is_new] = stage.channels.try_emplace(static_cast<std::uint64_t>(number) << 1 | 1U,
                                                          static_cast<std::uint32_t>(channels_.size()));
  if (is_new) channels_.emplace_back().stage = of_station(number, Kind::interface);
  return channels_[found->second];
}

std::uint32_t PacketFabric::send(Station from, Station to, std::int64_t bytes, std::int64_t available,
                                 MessageUser& user, std::uint64_t tag) {
  Message message;
  message.from = static_cast<std::uint32_t>(from);
  message.to = static_cast<std::uint32_t>(to);
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

/// The message's next packet, of what is available.
void PacketFabric::make(std::uint32_t number) {
  Message& message = messages_[number];
  Packet packet;
  packet.message = number;
  packet.bytes = static_cast<std::uint32_t>(std::min(packet_bytes_, message.available - message.made));
  message.made += packet.bytes;
  packet.stage = of_station(message.from, Kind::interface);
  ++counts_.packets;
  arrive(packets_.add(packet));
}

void PacketFabric::handle(std::uint32_t what, std::uint32_t which) {
  if (what == served) return ends(which);
  arrive(which);
}

void PacketFabric::arrive(std::uint32_t number) {
  Packet& packet = packets_[number];
  Stage& stage = stages_[packet.stage];
  packet.channel = channel_of(stage, packet.stage, packet);
  packet.next = none;
  Channel& channel = channels_[packet.channel];
  if (channel.waits())
    packets_[channel.last].next = number;
  else
    channel.first = number;
  channel.last = number;
  stage.longest_queue = std::max(stage.longest_queue, ++stage.queued);
  put_in_turn(packet.channel);
  start(packet.stage);
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
  events_.after(packet.service, *this, served, which);
  if (!observers_.empty()) [[unlikely]]
    tell_busy(stage, true);
  if (packet.before != none) return begun_behind(packet.before, service_before);
  // The sender's interface: the next packet of the message is made now.
  const std::uint32_t of = packet.message;
  const std::int64_t bytes = packet.bytes;
  Message& message = messages_[of];
  message.left += bytes;
  const bool is_last = message.left == message.bytes;
  if (message.available > message.made) make(of);
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
  Packet& packet = packets_[number];
  put_in_turn(packet.channel);
  if (stage.kind == Kind::interface && packet.descends) {
    const Packet at_its_end = packet;
    packets_.remove(number);
    deliver(at_its_end);
    begun_behind(at_its_end.channel, at_its_end.service);
  } else {
    packet.before = packet.channel;
    packet.stage = after(stage, packet);
    if (stage.kind == Kind::inner_down) packet.descends = true;
    events_.after(stage.latency, *this, arrives, number);
  }
  start(which);
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

void PacketFabric::stop(Station station) { incoming(station).stopped = true; }

void PacketFabric::go(Station station) {
  Channel& channel = incoming(station);
  channel.stopped = false;
  put_in_turn(static_cast<std::uint32_t>(&channel - channels_.data()));
  start(channel.stage);
}

NetworkCounts PacketFabric::counts() const {
  NetworkCounts counts = counts_;
  for (const Stage& stage : stages_) {
    counts.longest_queue = std::max(counts.longest_queue, stage.longest_queue);
    Time* const busy = stage.kind == Kind::interface                                  ? &counts.interface_busy
                       : stage.kind == Kind::edge_up || stage.kind == Kind::edge_down ? &counts.edge_busy
                       : stage.kind == Kind::leaf || stage.kind == Kind::root         ? &counts.switch_busy
                                                                                      : nullptr;
    if (busy != nullptr) *busy = std::max(*busy, stage.busy);
  }
  return counts;
}

void PacketFabric::tell_busy(const Stage& stage, bool works) const {
  if (stage.kind != Kind::interface) return;
  observers_.tell([&](IoObserver& observer) {
    observer.busy(events_.now(), Station{stage.number}, IoObserver::Part::interface, works);
  });
}

} // namespace hypermon::piosim
