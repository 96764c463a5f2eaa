// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/hdtrace.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/monitors/footprint.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/os/operating_system.hpp"

#include <algorithm>

namespace hypermon::hdtrace {
namespace {

constexpr Time look = 10_ms;         // (chosen) period of the check for full buffers
constexpr Time patience = 10'000_ms; // (chosen) time after the program for data on their way to a server

} // namespace

void HdtraceMonitor::start(Site& site) {
  site_ = &site;
  OperatingSystem& os = operating_system();
  const auto& cpu = spec_.get<CpuParams>();
  recording_.emplace(spec_, site.folder(), node_clocks(spec_), cpu.processors, cpu.waiting == WaitingRank::poll);
  std::vector<RankPlace> ranks;
  for (const RankState& rank : os.ranks.all())
    if (rank.program == 0 && rank.instrumented) ranks.push_back({rank.rank, index(rank.kernel->node())});
  processes_.emplace(*recording_, ranks);
  const bool has_packets = mpi_layer().packet_network != nullptr;
  wrapper_.emplace(*recording_, *processes_, !has_packets);
  layers_.emplace(
      *recording_, *processes_, os.kernels.places(),
      [&os](NodeId node, Time work) { os.kernels.interrupt(node, work); },
      [network = mpi_layer().packet_network](Station at) {
        return network == nullptr ? InterfaceTraffic{} : network->traffic(at);
      });
  mpi_layer().observers.add(*wrapper_);
  mpi_layer().io_observers.add(*layers_);
  const HdtraceParams& params = recording_->params();
  // A process has a buffer for its trace and one for its relations. With a server each has a second buffer, which is
  // filled while the first is sent.
  const std::int64_t buffers = params.buffer_bytes.number * (params.server.empty() ? 2 : 4);
  for (const RankPlace& rank : ranks)
    site.footprint().keep(Place::node(NodeId{static_cast<std::uint32_t>(rank.node)}), buffers);
  if (Time(params.sample_ms) > Time{}) {
    sampler_.emplace(*recording_, site, !has_packets);
    sampler_->start();
  }
  if (params.offsets != HdtraceOffsets::none && recording_->nodes() > 1) {
    const std::string network = params.network.empty() ? network_names(spec_).front() : params.network;
    probes_.emplace(*recording_, site, site.network(network, "hdtrace.network"), program_end_);
    probes_->start();
  }
  if (!params.server.empty()) {
    const ServerId server = site.server(params.server, "hdtrace.server");
    for (std::size_t n = 0; n < recording_->nodes(); ++n)
      site.daemon(
          Place::node(NodeId{static_cast<std::uint32_t>(n)}), "hdtrace",
          [this, n, server](Daemon& self) { ship(self, n, server); }, "hdtrace.server");
    site.linger(patience);
  }
}

void HdtraceMonitor::ship(Daemon& self, std::size_t node, ServerId server) {
  auto& waiting = recording_->shipments(node);
  const NodeClock& clock = site_->clock(NodeId{static_cast<std::uint32_t>(node)});
  for (;; self.sleep_until(clock.after(self.now(), look)))
    while (!waiting.empty()) {
      Recording::Shipment& first = waiting.front();
      const auto bytes = static_cast<std::int64_t>(first.parcel.text.size());
      self.write(server, first.stream->name(), bytes);
      first.stream->delivered(first.parcel);
      waiting.pop_front();
    }
}

void HdtraceMonitor::finish(Time program_end) {
  end_ = std::max(program_end, simgrid_now());
  if (probes_) probes_->close();
  TraceLedger& trace_ledger = recording_->trace_ledger();
  for (const auto& process : processes_->all()) {
    if (!process) continue;
    const Time shift = trace_ledger.shift(process->node);
    recording_->phases().alive(process->node, 0, recording_->power(process->node), end_);
    process->trace.output().close(trace_begin(shift), trace_end);
    if (process->tokens > 0)
      process->relations.output().close(relations_begin(process->path.front(), process->number(), 0, shift),
                                        relations_end);
    process->info.close("", "\n\n");
  }
  layers_->close(end_);
  for (std::size_t n = 0; n < recording_->nodes(); ++n) {
    Metered& power = recording_->power(n);
    power.at(end_);
    site_->footprint().store(recording_->disk(n).written());
    if (power.energy() != nullptr) power.energy()->close({}); // the meter has its own clock
  }
  if (sampler_) sampler_->close();
  write_project();
}

void HdtraceMonitor::write_project() const {
  ProjectContent content;
  content.name = recording_->project();
  content.client_layers = layers_->clients();
  content.known = wrapper_->known();
  content.files = wrapper_->files();
  content.groups = layers_->groups();
  for (std::size_t n = 0; n < recording_->nodes(); ++n) content.hosts.push_back({recording_->host(n), {}, {}});
  for (const auto& process : processes_->all())
    if (process) content.hosts[process->node].ranks.push_back(process->rank);
  for (const auto& [host, layers] : layers_->servers()) content.hosts.push_back({host, {}, layers});
  if (Time(recording_->power_params().meter_ms) > Time{}) content.groups.emplace_back("Energy");
  if (sampler_) {
    content.groups.emplace_back("Utilization");
    content.groups.emplace_back("PowerEstimate");
    for (const std::string& name : sampler_->groups()) content.groups.push_back(name);
  }
  write_whole(recording_->folder() / (recording_->project() + ".proj"), project_text(content));
}

} // namespace hypermon::hdtrace

namespace hypermon {

MonitorKind hdtrace_monitor();
MonitorKind hdtrace_monitor() {
  return {.name = "hdtrace", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<hdtrace::HdtraceMonitor>(setting.spec, setting.program_end);
          }};
}

} // namespace hypermon
