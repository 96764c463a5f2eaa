// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a packet-level platform: its network, its processors, its parallel file system.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hypermon {

/// Model of the packet network; off: the machine has neither this network nor a parallel file system.
enum class PacketModel : std::uint8_t { off, packets, ideal };
constexpr auto words_of(PacketModel) { return words("off", "packets", "ideal"); }
/// Graph of a packet network: the machine's topology, a star, or a user's own.
enum class PacketTopology : std::uint8_t { machine, star, graph };
constexpr auto words_of(PacketTopology) { return words("machine", "star", "graph"); }
/// The owner of a network interface: a computer, or each rank on it.
enum class Interfaces : std::uint8_t { node, rank };
constexpr auto words_of(Interfaces) { return words("node", "rank"); }
/// How a stage groups the packets that it counts on their way to the next stage.
enum class FlowControl : std::uint8_t { none, target, pair };
constexpr auto words_of(FlowControl) { return words("none", "target", "pair"); }
/// Order of events at one instant.
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
/// When a flow's buffer becomes free again.
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

  /// Number of computers that only servers use.
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
            "Packet network for nodes and servers of the parallel file system, beside the program's network. off: "
            "there is none. packets: each packet is simulated on each edge. ideal: messages arrive at once.",
            "chosen: off"},
      Field{"topology", &P::topology,
            "Graph of the packet network. machine: as machine.topology says. star: every computer on one switch, or on "
            "a tree of switches (packets.fan_out). graph: the edges in the file packets.graph.",
            "HDTrace sec. 3: any network graph"},
      Field{"graph", &P::graph, hypermon::file(), "",
            "File with the edges of the packet network, one per line: two ends, then MiB/s and us where they differ "
            "from packets.edge_* or packets.uplink_*. node0, host, neighbour0_node0 and server0 are computers; other "
            "names are switches.",
            "HDTrace sec. 3: any network graph"},
      Field{"packet_bytes", &P::packet_bytes, range(1, 1 << 30), "Size of the packets into which messages are cut.",
            "facts (hdtrace): the paper's 100 KiB, with 1 K = 1000 in its code"},
      Field{"interfaces", &P::interfaces,
            "Owner of a network interface, which has an edge to the memory of its computer. node: the ranks of a node "
            "share one interface. rank: each rank has an interface of its own; a server on a node (pfs.place) uses "
            "that of the node's first rank.",
            "chosen: node; facts (piosim_rules): rank"},
      Field{"interface_mib_per_s", &P::interface_mib_per_s, range(0.001, 1e9), "MiB/s",
            "Rate of a network interface, both directions together.", "HDTrace sec. 7"},
      Field{"internal_mib_per_s", &P::internal_mib_per_s, range(0.001, 1e9), "MiB/s",
            "Bandwidth of the edge between a network interface and its computer's memory, in each direction.", file},
      Field{"internal_latency_us", &P::internal_latency_us, range(0, 1e9),
            "Latency of the edge between a computer's network interface and its memory. All times of the packet "
            "network are cut to whole nanoseconds.",
            file},
      Field{"memory_mib_per_s", &P::memory_mib_per_s, range(0.001, 1e9), "MiB/s",
            "Rate of a computer's memory, both directions together.", "facts (hdtrace): 36 GiB/s"},
      Field{"edge_mib_per_s", &P::edge_mib_per_s, range(0.001, 1e9), "MiB/s",
            "Bandwidth, in each direction, of an edge between a computer and its switch or between two computers.",
            "HDTrace sec. 7 (iperf)"},
      Field{"edge_latency_us", &P::edge_latency_us, range(0, 1e9),
            "Latency of an edge between a computer and its switch or between two computers. A route over one switch "
            "has two such edges.",
            "HDTrace sec. 7: 0.2875 ms; facts: of each edge"},
      Field{"switch_mib_per_s", &P::switch_mib_per_s, range(0.001, 1e9), "MiB/s", "Total rate of a switch.",
            "HDTrace sec. 7: 48 GiB/s; facts: 48000 MiB/s"},
      Field{"fan_out", &P::fan_out, range(0, 4096), "",
            "Number of computers at each switch of a star, in their order. Several switches are connected to a root "
            "switch. 0: one switch for all computers.",
            "chosen"},
      Field{"uplink_mib_per_s", &P::uplink_mib_per_s, range(0, 1e9), "MiB/s",
            "Bandwidth, in each direction, of an edge between two switches. 0: packets.edge_mib_per_s.", "chosen"},
      Field{"uplink_latency_us", &P::uplink_latency_us, range(0, 1e9), "Latency of an edge between two switches.",
            "chosen: as the other edges"},
      Field{"outages", &P::outages, any_value(), "",
            "Outages of edges, separated by blanks, like node0/switch0:10-25: the two ends of an edge, then beginning "
            "and end in ms. A packet that is already on the edge is served to its end; others wait.",
            "chosen: none"},
      Field{"flow_control", &P::flow_control,
            "Scope of flow control. A stage sends no packets while those that the next stage has not begun to serve "
            "fill the edge. target: counted for each final target. pair: counted for each source and target. none: no "
            "flow control.",
            "facts (piosim_rules): target; pair in its newest version"},
      Field{"ties", &P::ties,
            "Order of events at the same time. first_asked: the order in which they were requested. last_asked: the "
            "reverse order, which shows how far results depend on it.",
            "chosen: the paper's simulator has no stable order"});
}
static_assert(all_members_described<PacketParams>());

constexpr auto fields_of(const PfsParams*) {
  using P = PfsParams;
  constexpr const char* pvfs = "facts (hdtrace): OrangeFS 2.8";
  constexpr const char* rules = "facts (piosim_rules)";
  return fields(
      Field{"servers", &P::servers, range(0, 4096), "servers",
            "Number of servers of the parallel file system. 0: there is none. Needs packets.network.", "chosen"},
      Field{"place", &P::place,
            "Computers of the parallel file system's servers. own: each server has its own computer. nodes: server s "
            "runs on node s.",
            "HDTrace sec. 7: a node of its own"},
      Field{"protocol", &P::protocol,
            "Protocol of the parallel file system. simulator: request and data leave back to back, and the server "
            "acknowledges received data. pvfs: small I/O travels in the request; larger data follow the server's reply "
            "through flow buffers, and the acknowledgement follows the disk or its cache.",
            rules},
      Field{"distribution", &P::distribution,
            "Distribution of a file over the servers. simple_stripe: stripes of pfs.stripe_bytes in turn. "
            "varying_stripe: stripes as in pfs.strips. basic: file f is on server f modulo servers.",
            pvfs},
      Field{"stripe_bytes", &P::stripe_bytes, range(1, 1 << 30), "Stripe size with pfs.distribution = simple_stripe.",
            "facts (hdtrace): PVFS's 64 KiB"},
      Field{"strips", &P::strips, any_value(), "",
            "Stripes with pfs.distribution = varying_stripe: SERVER:BYTES in their order, like 0:65536 1:131072.",
            "chosen"},
      Field{"regions_per_request", &P::regions_per_request, range(1, 1 << 20), "",
            "Largest number of file regions in one request, unless the request describes them by datatypes.", pvfs},
      Field{"granularity_bytes", &P::granularity_bytes, range(1, 1 << 30),
            "Largest amount of data that one disk operation moves.", rules},
      Field{"request_bytes", &P::request_bytes, range(1, 1e6),
            "Size of a file system request without its regions and data.", rules},
      Field{"region_bytes", &P::region_bytes, range(0, 1e6), "Size of one region's description in a request.", rules},
      Field{"acknowledgement_bytes", &P::acknowledgement_bytes, range(1, 1e6),
            "Size of a file server's reply without data.", rules},
      Field{"small_io_bytes", &P::small_io_bytes, range(0, 1 << 30),
            "Largest amount of data that travels in the request or its reply. It applies with pfs.protocol = pvfs.",
            pvfs},
      Field{"flow_buffers", &P::flow_buffers, range(1, 4096), "",
            "Number of buffers for the data flow of one request. More data are sent while a buffer is free. It applies "
            "with pfs.protocol = pvfs.",
            pvfs},
      Field{"flow_buffer_bytes", &P::flow_buffer_bytes, range(1, 1 << 30),
            "Size of one flow buffer. It applies with pfs.protocol = pvfs.", pvfs},
      Field{"flow_until", &P::flow_until,
            "Time at which a flow buffer is free again and its data count as written, with pfs.protocol = pvfs. "
            "accepted: when the cache accepts them. written: when they are on disk. With a cache, small I/O is "
            "answered at acceptance.",
            "chosen: HDTrace sec. 6 sees operations queue up in TROVE"});
}
static_assert(all_members_described<PfsParams>());

constexpr auto fields_of(const PfsCacheParams*) {
  using P = PfsCacheParams;
  constexpr const char* rules = "facts (piosim_rules)";
  return fields(
      Field{"model", &P::model,
            "Cache of each server. none: data wait until the disk is free. write_behind: data are accepted while "
            "memory is free. aggregation: as write_behind, and adjacent operations are joined. aggregation_reorder: as "
            "aggregation, sorted by file and offset, with separate phases of reads and writes.",
            rules},
      Field{"memory_mib", &P::memory_mib, range(0.001, 1e9), "MiB",
            "Memory of a server for data that wait for its disk.", "HDTrace sec. 7"},
      Field{
          "concurrent", &P::concurrent, range(1, 4096), "",
          "Number of operations that the cache hands to the disk at once. With more than one, pfs_disk.order matters.",
          rules});
}
static_assert(all_members_described<PfsCacheParams>());

constexpr auto fields_of(const PfsDiskParams*) {
  using P = PfsDiskParams;
  constexpr const char* paper = "HDTrace sec. 7";
  return fields(
      Field{"model", &P::model,
            "Disk model of the file system's servers. refined: seeks, rotation and transfer. simple: "
            "pfs_disk.access_ms and transfer. ideal: operations take no time.",
            "facts (piosim_rules): refined"},
      Field{"seek_ms", &P::seek_ms, range(0, 1e6), "Average seek time of a server's disk.", paper},
      Field{"track_to_track_ms", &P::track_to_track_ms, range(0, 1e6),
            "Seek time of a move shorter than pfs_disk.close_mib within one file.", paper},
      Field{"close_mib", &P::close_mib, range(0, 1e9), "MiB",
            "Distance below which a move within one file takes only pfs_disk.track_to_track_ms.", paper},
      Field{"turns_per_min", &P::turns_per_min, range(1, 1e6), "1/min",
            "Rotational speed of the platters. An operation that does not continue exactly where the last one ended "
            "waits for half a turn.",
            paper},
      Field{"mib_per_s", &P::mib_per_s, range(0.001, 1e9), "MiB/s", "Transfer rate of a server's disk.", paper},
      Field{"access_ms", &P::access_ms, range(0, 1e6),
            "Time before every operation of a disk with pfs_disk.model = simple.", "chosen"},
      Field{"order", &P::order,
            "Order of operations at the disk with pfs_cache.concurrent above 1. position: by offset from the head, "
            "file after file. fifo: oldest first. elevator: upwards to the highest position, then again from the "
            "lowest. deadline: as elevator, but operations past their deadline first.",
            "facts (piosim_rules): position"},
      Field{"read_deadline_ms", &P::read_deadline_ms, range(0, 1e6),
            "Time after which a waiting read comes first, with pfs_disk.order = deadline.", "Linux: deadline-iosched"},
      Field{"write_deadline_ms", &P::write_deadline_ms, range(0, 1e6),
            "Time after which a waiting write comes first, with pfs_disk.order = deadline.", "Linux: deadline-iosched"},
      Field{"capacity_mib", &P::capacity_mib, range(0.001, 1e9), "MiB", "Capacity of each server's disk.", "chosen"});
}
static_assert(all_members_described<PfsDiskParams>());

constexpr auto fields_of(const PioCpuParams*) {
  using P = PioCpuParams;
  return fields(
      Field{"model", &P::model,
            "Cost of the I/O library's steps, which are jobs of at least one cycle and 1 ns. shared: jobs of one "
            "computer share its processors. ideal: steps take no time.",
            "facts (piosim_rules)"},
      Field{
          "processors", &P::processors, range(1, 1024), "",
          "Number of processors of each computer on the packet network. More jobs than processors share them equally.",
          "HDTrace sec. 7"},
      Field{"cycles_per_s", &P::cycles_per_s, range(1, 1e9), "1/s",
            "Clock rate of one processor on the packet network.", "facts (piosim_rules): a step takes 1 us"});
}
static_assert(all_members_described<PioCpuParams>());

} // namespace hypermon
