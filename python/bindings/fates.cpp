// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/fates.hpp"

#include <stdexcept>

namespace py = pybind11;

namespace hypermon {
namespace {

constexpr std::size_t most_bytes = 1 << 25; // memory for the blocks of all nodes (chosen)

/// Reads the next row of each node in `nodes`.
template <class Row, class Cursors> std::vector<Row> taken(Cursors& cursors, const Column<std::uint16_t>& nodes) {
  std::vector<Row> rows;
  rows.reserve(static_cast<std::size_t>(nodes.size()));
  for (const std::uint16_t node : span(nodes)) rows.push_back(cursors.at(node).next());
  return rows;
}

} // namespace

FateLog::Node::Node(const NodeClock& own, const std::shared_ptr<SpillFile>& file, std::size_t bytes)
    : clock(own), emissions(1 << 12, file), events(file, bytes), spurious(file, bytes) {}

FateLog::FateLog(const Spec& spec) {
  const auto file = std::make_shared<SpillFile>();
  const std::vector<NodeClock> clocks = node_clocks(spec);
  for (const NodeClock& clock : clocks) nodes_.emplace_back(clock, file, most_bytes / clocks.size());
}

void FateLog::emits(NodeId node, Time emission) {
  if (index(node) >= nodes_.size()) throw std::invalid_argument("no such node");
  nodes_[index(node)].emissions.push({emission});
}

void FateLog::add(const Emitted& event, Time stamp, Time there, std::int16_t lost) {
  Node& node = nodes_[index(event.node)];
  EventFate fate{
      event.event.type, event.event.args, event.first, event.start, Time{}, node.clock.read(event.start), stamp, there,
      event.message,    event.side,       lost};
  if (!node.emissions.empty()) {
    fate.emission = node.emissions.front().length;
    node.emissions.pop();
  }
  node.events.append(fate);
}

void FateLog::spurious(NodeId node, EventType type, Time stamp, Time there) {
  nodes_[index(node)].spurious.append({type, stamp, there, spurious_++});
}

FateReader::FateReader(std::shared_ptr<const FateLog> log) : log_(std::move(log)) {
  for (std::size_t n = 0; n < log_->nodes(); ++n) {
    events_.emplace_back(log_->events(n));
    spurious_.emplace_back(log_->spurious(n));
  }
}

py::dict FateReader::events(const Column<std::uint16_t>& nodes) {
  const auto rows = taken<EventFate>(events_, nodes);
  py::dict columns;
  columns["node"] = nodes;
  columns["type"] = column(rows, [](const EventFate& f) { return static_cast<std::uint8_t>(f.type); });
  columns["arg0"] = column(rows, [](const EventFate& f) { return f.args[0]; });
  columns["arg1"] = column(rows, [](const EventFate& f) { return f.args[1]; });
  columns["arg2"] = column(rows, [](const EventFate& f) { return f.args[2]; });
  columns["true_ps"] = column(rows, [](const EventFate& f) { return f.true_time.ps(); });
  columns["emitted_ps"] = column(rows, [](const EventFate& f) { return f.emitted.ps(); });
  columns["done_ps"] = column(rows, [](const EventFate& f) { return (f.emitted + f.emission).ps(); });
  columns["software_ps"] = column(rows, [](const EventFate& f) { return f.software.ps(); });
  columns["message"] = column(rows, [](const EventFate& f) { return f.message; });
  columns["side"] = column(rows, [](const EventFate& f) { return static_cast<std::uint8_t>(f.side); });
  columns["monitor_ps"] = column(rows, [](const EventFate& f) { return f.monitor.ps(); });
  columns["delivered_ps"] = column(rows, [](const EventFate& f) { return f.delivered.ps(); });
  columns["lost"] = column(rows, [](const EventFate& f) { return f.lost; });
  return columns;
}

py::dict FateReader::spurious(const Column<std::uint16_t>& nodes) {
  const auto rows = taken<SpuriousFate>(spurious_, nodes);
  py::dict columns;
  columns["node"] = nodes;
  columns["type"] = column(rows, [](const SpuriousFate& f) { return static_cast<std::uint8_t>(f.type); });
  columns["monitor_ps"] = column(rows, [](const SpuriousFate& f) { return f.monitor.ps(); });
  columns["delivered_ps"] = column(rows, [](const SpuriousFate& f) { return f.delivered.ps(); });
  columns["number"] = column(rows, [](const SpuriousFate& f) { return f.number; });
  return columns;
}

} // namespace hypermon
