// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a platform of packets: its network, its processors, its parallel file system.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hypermon {

/// How a network of packets is modelled; off: the machine has none, and no parallel file system.
enum class PacketModel : std::uint8_t { off, packets, ideal };
constexpr auto words_of(PacketModel) { return words("off", "packets", "ideal"); }
/// Which graph the stations of a network of packets are on: the machine's topology, a star, or a user's own.
enum class PacketTopology : std::uint8_t { machine, star, graph };
constexpr auto words_of(PacketTopology) { return words("machine", "star", "graph"); }
/// By what a stage counts what is on its way to the next one.
enum class FlowControl : std::uint8_t { none, target, pair };
constexpr auto words_of(FlowControl) { return words("none", "target", "pair"); }
/// Who comes first of those that something happens to at one instant.
enum class Ties : std::uint8_t { first_asked, last_asked };
constexpr auto words_of(Ties) { return words("first_asked", "last_asked"); }

struct PacketParams {
  PacketModel network = PacketModel::off;
  PacketTopology topology = PacketTopology::machine;
  std::string graph;
  Bytes packet_bytes = 100000;
  double interface_mib_per_s = 7629;
  double internal_mib_per_s = 12207.03125;
  Microseconds internal_latency_us = 2.0931;
  double memory_mib_per_s = 36864;
  double edge_mib_per_s = 67;
  Microseconds edge_latency_us = 287.5;
  double switch_mib_per_s = 48000;
  std::int64_t fan_out = 0;
  double uplink_mib_per_s = 0;
  Microseconds uplink_latency_us = 287.5;
  std::string outages;
  FlowControl flow_control = FlowControl::target;
  Ties ties = Ties::first_asked;
};

enum class FileProtocol : std::uint8_t { simulator, pvfs };
constexpr auto words_of(FileProtocol) { return words("simulator", "pvfs"); }
/// When a buffer of a flow is free again.
enum class FlowUntil : std::uint8_t { accepted, written };
constexpr auto words_of(FlowUntil) { return words("accepted", "written"); }
enum class ServerPlace : std::uint8_t { own, nodes };
constexpr auto words_of(ServerPlace) { return words("own", "nodes"); }
enum class Distribution : std::uint8_t { simple_stripe, varying_stripe, basic };
constexpr auto words_of(Distribution) { return words("simple_stripe", "varying_stripe", "basic"); }

struct PfsParams {
  std::int64_t servers = 0;
  ServerPlace place = ServerPlace::own;
  FileProtocol protocol = FileProtocol::simulator;
  Distribution distribution = Distribution::simple_stripe;
  Bytes stripe_bytes = 65536;
  std::string strips;
  std::int64_t regions_per_request = 64;
  Bytes granularity_bytes = 1000000;
  Bytes request_bytes = 20;
  Bytes region_bytes = 8;
  Bytes acknowledgement_bytes = 15;
  Bytes small_io_bytes = 16384;
  std::int64_t flow_buffers = 8;
  Bytes flow_buffer_bytes = 262144;
  FlowUntil flow_until = FlowUntil::written;

  /// Computers on the network that the servers have for themselves.
  std::size_t stations() const { return place == ServerPlace::own ? static_cast<std::size_t>(servers) : 0; }
};

enum class CacheModel : std::uint8_t { none, write_behind, aggregation, aggregation_reorder };
constexpr auto words_of(CacheModel) { return words("none", "write_behind", "aggregation", "aggregation_reorder"); }

struct PfsCacheParams {
  CacheModel model = CacheModel::aggregation;
  double memory_mib = 12000;
  std::int64_t concurrent = 1;
};

enum class DiskModel : std::uint8_t { refined, simple, ideal };
constexpr auto words_of(DiskModel) { return words("refined", "simple", "ideal"); }
enum class DiskOrder : std::uint8_t { position, fifo, elevator, deadline };
constexpr auto words_of(DiskOrder) { return words("position", "fifo", "elevator", "deadline"); }

struct PfsDiskParams {
  DiskModel model = DiskModel::refined;
  Milliseconds seek_ms = 10;
  Milliseconds track_to_track_ms = 1;
  double close_mib = 5;
  std::int64_t turns_per_min = 7200;
  double mib_per_s = 100;
  Milliseconds access_ms = 10;
  DiskOrder order = DiskOrder::position;
  Milliseconds read_deadline_ms = 500;
  Milliseconds write_deadline_ms = 5000;
  double capacity_mib = 1e6;
};

enum class PioCpuModel : std::uint8_t { shared, ideal };
constexpr auto words_of(PioCpuModel) { return words("shared", "ideal"); }

struct PioCpuParams {
  PioCpuModel model = PioCpuModel::shared;
  std::int64_t processors = 1;
  double cycles_per_s = 1e6;
};

} // namespace hypermon
