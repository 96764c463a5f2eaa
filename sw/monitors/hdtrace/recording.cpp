// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/recording.hpp"
#include "sw/os/execution.hpp"

#include <algorithm>

namespace hypermon::hdtrace {

Recording::Recording(const Spec& spec, const std::filesystem::path& folder, std::vector<NodeClock> clocks,
                     std::int64_t processors, bool polls)
    : params_(spec.get<HdtraceParams>()), power_(spec.get<PowerParams>()), project_(spec.workload),
      folder_(folder / "hdtrace"), processors_(processors), polls_(polls),
      ledger_(std::move(clocks), params_.resolution_ns), shipments_(static_cast<std::size_t>(spec.nodes)),
      phases_(static_cast<std::size_t>(spec.nodes)) {
  std::filesystem::create_directories(folder_);
  DiskParams own;
  own.mb_per_s = params_.disk_mb_per_s;
  own.seek_ms = params_.disk_seek_ms;
  const DiskGeometry disk = geometry(own);
  for (std::size_t n = 0; n < static_cast<std::size_t>(spec.nodes); ++n) {
    disks_.emplace_back(disk, Bytes(params_.capacity_mb).number);
    std::unique_ptr<StatisticsFile> energy;
    if (Time(power_.meter_ms) > Time{})
      energy = statistics(
          {host(n)}, "Energy",
          {{"Utrms", Column::Type::real, "V"}, {"Itrms", Column::Type::real, "A"}, {"P", Column::Type::real, "W"}});
    nodes_.push_back(std::make_unique<Metered>(power_, processors, std::move(energy)));
  }
}

std::string Recording::host(std::size_t node) const {
  const std::size_t width = std::max<std::size_t>(2, std::to_string(shipments_.size() - 1).size());
  const std::string number = std::to_string(node);
  return "node" + std::string(width - std::min(width, number.size()), '0') + number;
}

std::unique_ptr<StatisticsFile> Recording::statistics(const Path& node, const std::string& group,
                                                      std::vector<Column> columns, Time begin) {
  return std::make_unique<StatisticsFile>(folder_, project_, node, group, std::move(columns), begin, ledger_);
}

void Recording::work(RankState& rank, Time nominal) {
  if (nominal <= Time{}) return;
  cpu_ += nominal;
  execution().kernel_work(
      rank, [&](NodeKernel& kernel) { kernel.spend(nominal); }, WorkOf::monitor);
}

void Recording::write(RankState& rank, std::size_t node, TraceStream& stream, const std::string& text,
                      std::uint64_t events) {
  if (!stream.fits(text.size()) && !stream.empty() && !stream.in_transit()) flush(rank, node, stream);
  stream.add(text, events);
}

void Recording::flush(RankState& rank, std::size_t node, TraceStream& stream) {
  if (stream.empty()) return;
  ++flushes_;
  if (!params_.server.empty()) {
    shipments_[node].push_back({&stream, stream.take()});
    return;
  }
  const Time begin = simgrid_now();
  const auto end = disks_[node].write(begin, stream.name(), static_cast<std::int64_t>(stream.bytes()));
  auto parcel = stream.take();
  if (!end) {
    stream.lost(parcel, Lost::disk_full);
    stream.stop(); // as the library does: "stop logging"
    return;
  }
  power(node).at(begin).disk(begin, 1);
  execution().rest_until(rank, *end);
  power(node).at(*end).disk(*end, -1);
  flushing_ += *end - begin;
  stream.delivered(parcel);
}

} // namespace hypermon::hdtrace
