// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/piosim_run.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/packets/packet_graph.hpp"

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
  arm(); // for outages
}

void PiosimRun::arm() {
  const Time next = piosim_.next();
  if (next >= armed_ || next == Time::never()) return; // one that is armed already comes first
  if (timer_ != nullptr) timer_->remove();
  armed_ = next;
  timer_ = set_timer(next, [this, next] {
    timer_ = nullptr;
    armed_ = Time::never();
    piosim_.advance(std::max(next, simgrid_now()));
    arm();
  });
}

void PiosimRun::report(Json& result) const {
  const piosim::NetworkCounts network = piosim_.network().counts();
  Json own{{"stations", piosim_.stations()},
           {"messages", network.messages},
           {"message_bytes", network.bytes},
           {"packets", network.packets},
           {"longest_queue", network.longest_queue},
           {"busiest_interface_s", network.interface_busy.seconds()},
           {"edges_passed", network.edges_passed},
           {"busiest_edge_s", network.edge_busy.seconds()},
           {"busiest_uplink_s", network.uplink_busy.seconds()},
           {"busiest_switch_s", network.switch_busy.seconds()},
           {"steps", piosim_.jobs()}};
  Json servers = Json::array();
  if (piosim_.has_files())
    for (const piosim::FileServer& server : piosim_.file_clients().servers()) {
      const piosim::ServerCounts& counts = server.counts();
      const piosim::CacheCounts& cache = server.cache().counts();
      const piosim::DiskCounts& disk = server.cache().disk();
      servers.push_back({{"station", static_cast<std::uint32_t>(server.station())},
                         {"requests", counts.requests},
                         {"data_packets", counts.data_packets},
                         {"most_pending", counts.most_pending},
                         {"flow_stalls", counts.flow_stalls},
                         {"stopped_s", counts.stopped.seconds()},
                         {"cache_jobs", cache.jobs},
                         {"joined_jobs", cache.joined},
                         {"cache_longest_queue", cache.longest_queue},
                         {"cache_most_bytes", cache.most_bytes},
                         {"disk_operations", disk.operations},
                         {"average_seeks", disk.average_seeks},
                         {"short_seeks", disk.short_seeks},
                         {"read_bytes", disk.read_bytes},
                         {"written_bytes", disk.written_bytes},
                         {"unwritten_bytes", server.cache().unwritten()},
                         {"disk_busy_s", disk.busy.seconds()}});
    }
  own["servers"] = std::move(servers);
  Json edges = Json::array();
  if (const auto all = piosim_.network().edges(); all.size() <= most_edges_reported)
    for (const piosim::EdgeCounts& edge : all)
      edges.push_back(
          {{"first", edge.first}, {"second", edge.second}, {"packets", edge.packets}, {"busy_s", edge.busy.seconds()}});
  own["edges"] = std::move(edges);
  result["piosim"] = std::move(own);
}

std::unique_ptr<PiosimRun> make_piosim(const Spec& spec, std::size_t places, const IoObservers& observers) {
  if (spec.get<PacketParams>().network == PacketModel::off) return nullptr;
  return std::make_unique<PiosimRun>(spec, places, observers);
}

} // namespace hypermon
