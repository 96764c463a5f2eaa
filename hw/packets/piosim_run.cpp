// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/piosim_run.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/packets/packet_graph.hpp"
#include "hw/packets/result_keys.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <algorithm>

namespace hypermon {
namespace {

constexpr std::size_t most_edges_reported = 1000;

piosim::PiosimParams params_of(const Spec& spec) {
  return {spec.get<PacketParams>(), spec.get<PfsParams>(), spec.get<PfsCacheParams>(), spec.get<PfsDiskParams>(),
          spec.get<PioCpuParams>()};
}

} // namespace

PiosimRun::PiosimRun(const Spec& spec, std::size_t places, const IoObservers& observers)
    : piosim_(
          params_of(spec), packet_graph(spec, places), places, observers, [] { return simgrid_now(); },
          [this] { arm(); }) {
  arm(); // for the outages
}

void PiosimRun::arm() {
  const Time next = piosim_.next();
  if (next >= armed_ || next == Time::never()) return; // an earlier timer is already armed
  if (timer_ != nullptr) timer_->remove();
  armed_ = next;
  timer_ = set_timer(next, [this, next] {
    timer_ = nullptr;
    armed_ = Time::never();
    piosim_.advance(std::max(next, simgrid_now()));
    arm();
  });
}

void PiosimRun::report(Results& results) const {
  const piosim::NetworkCounts network = piosim_.network().counts();
  const PiosimKeys& keys = piosim_keys;
  results.set({keys.stations(piosim_.stations()), keys.messages(network.messages), keys.message_bytes(network.bytes),
               keys.packets(network.packets), keys.longest_queue(network.longest_queue),
               keys.busiest_interface_s(network.interface_busy), keys.edges_passed(network.edges_passed),
               keys.busiest_edge_s(network.edge_busy), keys.busiest_uplink_s(network.uplink_busy),
               keys.busiest_switch_s(network.switch_busy), keys.steps(piosim_.jobs()), server_records(),
               edge_records()});
}

ResultRecords PiosimRun::server_records() const {
  const auto& keys = piosim_keys.servers;
  ResultRecords servers(keys.list);
  if (!piosim_.has_files()) return servers;
  for (const piosim::FileServer& server : piosim_.file_clients().servers()) {
    const piosim::ServerCounts& counts = server.counts();
    const piosim::CacheCounts& cache = server.cache().counts();
    const piosim::DiskCounts& disk = server.cache().disk();
    servers.add({keys.station(static_cast<std::uint32_t>(server.station())), keys.requests(counts.requests),
                 keys.data_packets(counts.data_packets), keys.most_pending(counts.most_pending),
                 keys.flow_stalls(counts.flow_stalls), keys.stopped_s(counts.stopped), keys.cache_jobs(cache.jobs),
                 keys.joined_jobs(cache.joined), keys.cache_longest_queue(cache.longest_queue),
                 keys.cache_most_bytes(cache.most_bytes), keys.disk_operations(disk.operations),
                 keys.average_seeks(disk.average_seeks), keys.short_seeks(disk.short_seeks),
                 keys.read_bytes(disk.read_bytes), keys.written_bytes(disk.written_bytes),
                 keys.unwritten_bytes(server.cache().unwritten()), keys.disk_busy_s(disk.busy)});
  }
  return servers;
}

ResultRecords PiosimRun::edge_records() const {
  const auto& keys = piosim_keys.edges;
  ResultRecords edges(keys.list);
  if (const auto all = piosim_.network().edges(); all.size() <= most_edges_reported)
    for (const piosim::EdgeCounts& edge : all)
      edges.add({keys.first(edge.first), keys.second(edge.second), keys.packets(edge.packets), keys.busy_s(edge.busy)});
  return edges;
}

std::unique_ptr<PiosimRun> make_piosim(const Spec& spec, std::size_t places, const IoObservers& observers) {
  if (spec.get<PacketParams>().network == PacketModel::off) return nullptr;
  return std::make_unique<PiosimRun>(spec, places, observers);
}

} // namespace hypermon
