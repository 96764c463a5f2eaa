// SPDX-License-Identifier: BSD-3-Clause
// What a platform of packets is described by, and what must hold between it.
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/packets/core/distribution.hpp"
#include "hw/packets/core/params.hpp"
#include "hw/packets/packet_graph.hpp"

#include <algorithm>

namespace hypermon {
namespace {

constexpr double mib = 1 << 20;

void check_cache(const Spec& spec) {
  const auto& pfs = spec.get<PfsParams>();
  const auto& cache = spec.get<PfsCacheParams>();
  const auto most = std::max(
      {pfs.granularity_bytes, spec.get<PacketParams>().packet_bytes, pfs.flow_buffer_bytes, pfs.small_io_bytes});
  if (cache.model != CacheModel::none && cache.memory_mib * mib <= static_cast<double>(most.number))
    throw UserError("pfs_cache.memory_mib = " + plain_number(cache.memory_mib) +
                    ": must be more than what comes at once, " + std::to_string(most.number) +
                    " B (packets.packet_bytes, pfs.granularity_bytes, pfs.flow_buffer_bytes, pfs.small_io_bytes)");
}

void check_graph(const Spec& spec) {
  const auto& packets = spec.get<PacketParams>();
  if (packets.topology != PacketTopology::graph && !packets.graph.empty())
    throw UserError("packets.graph = " + packets.graph + ": must be empty with packets.topology = \"" +
                    std::string(word(packets.topology)) + "\"");
  if (packets.network != PacketModel::packets && !packets.outages.empty())
    throw UserError("packets.outages = \"" + packets.outages + "\": must be empty with packets.network = \"" +
                    std::string(word(packets.network)) + "\"");
  if (packets.network == PacketModel::packets) packet_graph(spec, places_without_host(spec));
}

void check_piosim(const Spec& spec) {
  check_graph(spec);
  const auto& pfs = spec.get<PfsParams>();
  if (pfs.servers == 0) return;
  if (spec.get<PacketParams>().network == PacketModel::off)
    throw UserError("pfs.servers = " + std::to_string(pfs.servers) + ": must be 0 with packets.network = off");
  if (pfs.place == ServerPlace::nodes && pfs.servers > spec.nodes)
    throw UserError("pfs.servers = " + std::to_string(pfs.servers) +
                    ": must be at most nodes = " + std::to_string(spec.nodes) + " with pfs.place = nodes");
  if (pfs.distribution == Distribution::varying_stripe) piosim::strips_of(pfs);
  check_cache(spec);
}

/// Switches that packets pass, and edges between two of them: a lattice has neither.
std::vector<WithoutEffect> without_effect_on_graph(const Spec& spec) {
  const auto& packets = spec.get<PacketParams>();
  if (packets.topology == PacketTopology::graph) return {{{"packets.fan_out"}, "packets.topology = graph"}};
  const Topology topology =
      packets.topology == PacketTopology::star ? Topology::star : spec.get<MachineParams>().topology;
  const std::string because = "machine.topology = " + std::string(word(topology));
  if (topology == Topology::hypercube || topology == Topology::torus)
    return {{{"packets.fan_out", "packets.switch_mib_per_s", "packets.uplink_mib_per_s", "packets.uplink_latency_us"},
             because}};
  if (topology == Topology::fat_tree) return {{{"packets.fan_out"}, because}};
  if (packets.fan_out == 0) return {{{"packets.uplink_mib_per_s", "packets.uplink_latency_us"}, "packets.fan_out = 0"}};
  return {};
}

std::vector<WithoutEffect> without_effect_on_packets(const Spec& spec) {
  const auto& packets = spec.get<PacketParams>();
  std::vector<WithoutEffect> found;
  if (packets.network == PacketModel::off) found.push_back({{"packets.", "pio_cpu."}, "packets.network = off"});
  if (packets.network == PacketModel::ideal)
    found.push_back(
        {{"packets.topology", "packets.interfaces", "packets.interface_mib_per_s", "packets.internal_mib_per_s",
          "packets.internal_latency_us", "packets.memory_mib_per_s", "packets.edge_mib_per_s",
          "packets.edge_latency_us", "packets.switch_mib_per_s", "packets.fan_out", "packets.uplink_mib_per_s",
          "packets.uplink_latency_us", "packets.flow_control"},
         "packets.network = ideal"});
  if (packets.network == PacketModel::packets) {
    found = without_effect_on_graph(spec);
    if (spec.get<CpuParams>().ranks_per_node == 1) found.push_back({{"packets.interfaces"}, "cpu.ranks_per_node = 1"});
  }
  if (spec.get<PfsParams>().servers == 0) found.push_back({{"pfs.", "pfs_cache.", "pfs_disk."}, "pfs.servers = 0"});
  return found;
}

ResultKeys piosim_results() {
  return {{"piosim.stations", "", "packets: computers on the network of packets."},
          {"piosim.messages", "messages", "packets: that were sent, of programs and of the file system."},
          {"piosim.message_bytes", "B", "packets: of these."},
          {"piosim.packets", "packets", "packets: that they were cut into."},
          {"piosim.longest_queue", "packets", "packets: that waited at one stage of the network."},
          {"piosim.busiest_interface_s", "s", "packets: the busiest interface's time, both directions together."},
          {"piosim.edges_passed", "", "packets: number of times that a packet passed an edge between two vertices."},
          {"piosim.busiest_edge_s", "s",
           "packets: time that the busiest edge served packets in one direction, of the edges that a computer has."},
          {"piosim.busiest_uplink_s", "s",
           "packets: time that the busiest edge between two switches served packets in one direction."},
          {"piosim.busiest_switch_s", "s", "packets: time that the busiest switch served packets."},
          {"piosim.edges[].first", "",
           "packets: computer or switch at one end of the edge; networks of at most 1000 edges."},
          {"piosim.edges[].second", "", "packets: computer or switch at the other end of the edge."},
          {"piosim.edges[].packets", "packets", "packets: number of packets that passed the edge, in both directions."},
          {"piosim.edges[].busy_s", "s", "packets: time that the edge served packets, in its busier direction."},
          {"piosim.steps", "", "packets: jobs of the libraries at the stations' processors."},
          {"piosim.servers[].station", "", "pfs: the server's."},
          {"piosim.servers[].requests", "", "pfs: that it got."},
          {"piosim.servers[].data_packets", "packets", "pfs: of data to be written, without what is in requests."},
          {"piosim.servers[].most_pending", "", "pfs: operations of TROVE that were pending at once."},
          {"piosim.servers[].flow_stalls", "", "pfs: times that all buffers of a flow waited for TROVE."},
          {"piosim.servers[].stopped_s", "s", "pfs: for so long its interface took no packets: the cache was full."},
          {"piosim.servers[].cache_jobs", "", "pfs: that the cache got: pieces of regions."},
          {"piosim.servers[].joined_jobs", "", "pfs: of these that became part of another one's disk operation."},
          {"piosim.servers[].cache_longest_queue", "", "pfs: jobs that waited in the cache at once."},
          {"piosim.servers[].cache_most_bytes", "B", "pfs: of the cache's memory that were in use at once."},
          {"piosim.servers[].disk_operations", "", "pfs: of its disk."},
          {"piosim.servers[].average_seeks", "",
           "pfs: disk operations that began with an average seek; 0 if pfs_disk.model is not refined."},
          {"piosim.servers[].short_seeks", "",
           "pfs: disk operations that began with a seek from track to track; 0 if pfs_disk.model is not refined."},
          {"piosim.servers[].read_bytes", "B", "pfs: by the disk."},
          {"piosim.servers[].written_bytes", "B", "pfs: by the disk."},
          {"piosim.servers[].unwritten_bytes", "B",
           "pfs: that its cache still has for the disk when the last program ends."},
          {"piosim.servers[].disk_busy_s", "s", "pfs: time that the disk worked."}};
}

} // namespace

Part piosim_part() {
  return {.sections = {section<PacketParams>("packets", "Network of packets that switches store and forward."),
                       section<PfsParams>("pfs", "Parallel file system on the packet network."),
                       section<PfsCacheParams>("pfs_cache", "Cache of each server of the parallel file system."),
                       section<PfsDiskParams>("pfs_disk", "Disk of each server of the parallel file system."),
                       section<PioCpuParams>("pio_cpu", "CPU time of the I/O library's steps on the packet network.")},
          .check = check_piosim,
          .without_effect = without_effect_on_packets,
          .results = piosim_results()};
}

} // namespace hypermon
