// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a platform of packets: its network, its processors, its parallel file system.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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
/// The owner of a network interface: a computer, or each rank on it.
enum class Interfaces : std::uint8_t { node, rank };
constexpr auto words_of(Interfaces) { return words("node", "rank"); }
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
  Interfaces interfaces = Interfaces::node;
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

constexpr auto fields_of(const PacketParams*) {
  using P = PacketParams;
  constexpr const char* file = "facts (hdtrace): the paper's configuration";
  return fields(
      Field{"network", &P::network,
            "A network of packets beside the one of the program's messages; on it stand the nodes and the servers of "
            "the parallel file system. off: there is none. packets: every packet on every edge. ideal: all arrives at "
            "once.",
            "chosen: off"},
      Field{
          "topology", &P::topology,
          "Graph of the network of packets. machine: as machine.topology says. star: every computer on one switch, or "
          "on a tree of switches (packets.fan_out). graph: the edges of a file (packets.graph).",
          "HDTrace sec. 3: any network graph"},
      Field{"graph", &P::graph, hypermon::file(), "",
            "File with the edges of the network of packets, one on each line: two ends, then MiB/s and us where they "
            "differ from packets.edge_* or, between two switches, packets.uplink_*. node0, host, neighbour0_node0 and "
            "server0 are computers, other names are switches.",
            "HDTrace sec. 3: any network graph"},
      Field{"packet_bytes", &P::packet_bytes, range(1, 1 << 30), "Messages are cut into packets of this size.",
            "facts (hdtrace): the paper's 100 KiB, whose K is 1000 in its code"},
      Field{"interfaces", &P::interfaces,
            "Owner of a network interface, which has an edge to the memory of its computer. node: the ranks of a node "
            "share one interface. rank: each rank has an interface of its own; a server on a node (pfs.place) uses "
            "that of the node's first rank.",
            "chosen: node; facts (piosim_rules): rank"},
      Field{"interface_mib_per_s", &P::interface_mib_per_s, range(0.001, 1e9), "MiB/s",
            "Rate of a network interface, both directions together.", "HDTrace sec. 7"},
      Field{"internal_mib_per_s", &P::internal_mib_per_s, range(0.001, 1e9), "MiB/s",
            "Rate of each direction of the edge inside a computer, between an interface and the memory.", file},
      Field{"internal_latency_us", &P::internal_latency_us, range(0, 1e9),
            "Of that edge; cut to whole nanoseconds, as all times here.", file},
      Field{"memory_mib_per_s", &P::memory_mib_per_s, range(0.001, 1e9), "MiB/s",
            "What passes a computer's memory, both directions together.", "facts (hdtrace): 36 GiB/s"},
      Field{"edge_mib_per_s", &P::edge_mib_per_s, range(0.001, 1e9), "MiB/s",
            "Each direction of an edge between a computer and its switch, or between two computers.",
            "HDTrace sec. 7 (iperf)"},
      Field{"edge_latency_us", &P::edge_latency_us, range(0, 1e9),
            "Latency of each such edge: a way over one switch has two.",
            "HDTrace sec. 7: 0.2875 ms; facts: of each edge"},
      Field{"switch_mib_per_s", &P::switch_mib_per_s, range(0.001, 1e9), "MiB/s", "All that passes a switch.",
            "HDTrace sec. 7: 48 GiB/s; facts: 48000 MiB/s"},
      Field{"fan_out", &P::fan_out, range(0, 4096), "",
            "Number of computers at a switch of a star, in their order. With more than one switch, the switches hang "
            "on a root switch. 0: one switch for all computers.",
            "chosen"},
      Field{"uplink_mib_per_s", &P::uplink_mib_per_s, range(0, 1e9), "MiB/s",
            "Each direction of an edge between two switches; 0: as edge_mib_per_s.", "chosen"},
      Field{"uplink_latency_us", &P::uplink_latency_us, range(0, 1e9), "Latency of an edge between two switches.",
            "chosen: as the other edges"},
      Field{"outages", &P::outages, any_value(), "",
            "Times during which edges serve no packet: words like node0/switch0:10-25, the ends of an edge and two "
            "times in milliseconds. A packet that an edge is serving is served to its end; others wait.",
            "chosen: none"},
      Field{"flow_control", &P::flow_control,
            "A stage sends no more towards a target while so much of it is under way that the next stage has not begun "
            "to serve. target: counted by final target, whoever sent it. pair: by source and target. none: it never "
            "waits.",
            "facts (piosim_rules): target; pair in its newest version"},
      Field{"ties", &P::ties,
            "Of events of one instant, the one that was asked for first (or last) comes first; to see what hangs on "
            "it.",
            "chosen: the paper's simulator has no stable order"});
}
static_assert(all_members_described<PacketParams>());

constexpr auto fields_of(const PfsParams*) {
  using P = PfsParams;
  constexpr const char* pvfs = "facts (hdtrace): OrangeFS 2.8";
  constexpr const char* rules = "facts (piosim_rules)";
  return fields(
      Field{"servers", &P::servers, range(0, 4096), "servers",
            "Of the parallel file system; 0: there is none. Needs packets.network.", "chosen"},
      Field{"place", &P::place, "own: each server has a computer of its own. nodes: server s runs on node s.",
            "HDTrace sec. 7: a node of its own"},
      Field{"protocol", &P::protocol,
            "simulator: request and data go back to back, the server acknowledges what has arrived (the paper's "
            "simulator). pvfs: small I/O rides in the request; else data follow the server's reply, through flow "
            "buffers, and the acknowledgement follows the disk or its cache.",
            rules},
      Field{"distribution", &P::distribution,
            "simple_stripe: stripes of stripe_bytes in turn. varying_stripe: as strips says. basic: a file is on one "
            "server, file f on server f modulo servers.",
            pvfs},
      Field{"stripe_bytes", &P::stripe_bytes, range(1, 1 << 30), "Of simple_stripe.", "facts (hdtrace): PVFS's 64 KiB"},
      Field{"strips", &P::strips, any_value(), "",
            "Of varying_stripe: SERVER:BYTES words in their turn, like 0:65536 1:131072.", "chosen"},
      Field{"regions_per_request", &P::regions_per_request, range(1, 1 << 20), "",
            "That a request lists, unless it has datatypes.", pvfs},
      Field{"granularity_bytes", &P::granularity_bytes, range(1, 1 << 30), "The most that a disk operation moves.",
            rules},
      Field{"request_bytes", &P::request_bytes, range(1, 1e6), "A request without its regions and data.", rules},
      Field{"region_bytes", &P::region_bytes, range(0, 1e6), "Each region's share of a request.", rules},
      Field{"acknowledgement_bytes", &P::acknowledgement_bytes, range(1, 1e6), "A reply without data.", rules},
      Field{"small_io_bytes", &P::small_io_bytes, range(0, 1 << 30),
            "With protocol = pvfs: data of at most so many bytes ride in the request, or in its reply.", pvfs},
      Field{"flow_buffers", &P::flow_buffers, range(1, 4096), "",
            "With protocol = pvfs: buffers of a request's flow; data come while one is free.", pvfs},
      Field{"flow_buffer_bytes", &P::flow_buffer_bytes, range(1, 1 << 30), "Of each of these.", pvfs},
      Field{"flow_until", &P::flow_until,
            "With protocol = pvfs: a flow's buffer is free again, and counts as written, when its cache has accepted "
            "it, or when it is on the disk. Small I/O is answered when it is accepted, if there is a cache.",
            "chosen: HDTrace sec. 6 sees operations queue up in TROVE"});
}
static_assert(all_members_described<PfsParams>());

constexpr auto fields_of(const PfsCacheParams*) {
  using P = PfsCacheParams;
  constexpr const char* rules = "facts (piosim_rules)";
  return fields(
      Field{"model", &P::model,
            "none: data wait until the disk is free. write_behind: they are accepted while there is memory. "
            "aggregation: that, and what touches in the queue becomes one operation. aggregation_reorder: that, by "
            "offset, file after file, reads and writes in phases.",
            rules},
      Field{"memory_mib", &P::memory_mib, range(0.001, 1e9), "MiB", "Of a server, for data that wait for its disk.",
            "HDTrace sec. 7"},
      Field{"concurrent", &P::concurrent, range(1, 4096), "",
            "Operations that the cache hands to the disk at once: it orders these.", rules});
}
static_assert(all_members_described<PfsCacheParams>());

constexpr auto fields_of(const PfsDiskParams*) {
  using P = PfsDiskParams;
  constexpr const char* paper = "HDTrace sec. 7";
  return fields(
      Field{"model", &P::model, "refined: seeks, rotation, transfer. simple: access_ms and transfer. ideal: no time.",
            "facts (piosim_rules): refined"},
      Field{"seek_ms", &P::seek_ms, range(0, 1e6), "An average move of the arm.", paper},
      Field{"track_to_track_ms", &P::track_to_track_ms, range(0, 1e6), "A move of less than close_mib within a file.",
            paper},
      Field{"close_mib", &P::close_mib, range(0, 1e9), "MiB", "How far such a move goes.", paper},
      Field{"turns_per_min", &P::turns_per_min, range(1, 1e6), "1/min",
            "Of the platters: unless an operation continues exactly it waits for half a turn.", paper},
      Field{"mib_per_s", &P::mib_per_s, range(0.001, 1e9), "MiB/s", "What passes under the head.", paper},
      Field{"access_ms", &P::access_ms, range(0, 1e6), "Of a simple disk, before every operation.", "chosen"},
      Field{"order", &P::order,
            "Which of the operations at the disk is next. position: of the current file the one at or after the head, "
            "then the next file. fifo: the oldest. elevator: up to the highest, then from the lowest. deadline: as "
            "elevator, but what has waited too long comes first. Matters with pfs_cache.concurrent above 1.",
            "facts (piosim_rules): position"},
      Field{"read_deadline_ms", &P::read_deadline_ms, range(0, 1e6), "Of order = deadline.", "Linux: deadline-iosched"},
      Field{"write_deadline_ms", &P::write_deadline_ms, range(0, 1e6), "Of order = deadline.",
            "Linux: deadline-iosched"},
      Field{"capacity_mib", &P::capacity_mib, range(0.001, 1e9), "MiB", "Of each server's disk.", "chosen"});
}
static_assert(all_members_described<PfsDiskParams>());

constexpr auto fields_of(const PioCpuParams*) {
  using P = PioCpuParams;
  return fields(
      Field{"model", &P::model,
            "Of the steps of the library, which are jobs of at least one cycle, and 1 ns. shared: a station's jobs "
            "share its processors. ideal: they take no time.",
            "facts (piosim_rules)"},
      Field{"processors", &P::processors, range(1, 1024), "",
            "Of a station: with more jobs than these each job gets its share.", "HDTrace sec. 7"},
      Field{"cycles_per_s", &P::cycles_per_s, range(1, 1e9), "1/s", "Of a processor.",
            "facts (piosim_rules): a step takes 1 us"});
}
static_assert(all_members_described<PioCpuParams>());

} // namespace hypermon
