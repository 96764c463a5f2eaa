// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a packet-level platform, and conditions between them.
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/packets/core/distribution.hpp"
#include "hw/packets/core/params.hpp"
#include "hw/packets/packet_graph.hpp"
#include "hw/packets/result_keys.hpp"

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
                    ": must be more than the data that arrive at once, " + std::to_string(most.number) +
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

/// Parameters of switches and of edges between them have no effect on a lattice, which has neither.
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

} // namespace

Part piosim_part() {
  return {.sections = {section<PacketParams>("packets", "Network of packets that switches store and forward."),
                       section<PfsParams>("pfs", "Parallel file system on the packet network."),
                       section<PfsCacheParams>("pfs_cache", "Cache of each server of the parallel file system."),
                       section<PfsDiskParams>("pfs_disk", "Disk of each server of the parallel file system."),
                       section<PioCpuParams>("pio_cpu", "CPU time of the I/O library's steps on the packet network.")},
          .check = check_piosim,
          .without_effect = without_effect_on_packets,
          .results = keys_of(piosim_keys)};
}

} // namespace hypermon
