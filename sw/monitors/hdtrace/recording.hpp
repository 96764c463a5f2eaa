// SPDX-License-Identifier: BSD-3-Clause
// Data that the parts of the monitor share: the project's folder, the nodes' disks, the ledger and the power.
#pragma once
#include "base/spec.hpp"
#include "sw/monitors/hdtrace/node_disk.hpp"
#include "sw/monitors/hdtrace/power_book.hpp"
#include "sw/monitors/hdtrace/trace_stream.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

namespace hypermon {
struct OperatingSystem;
struct RankState;
} // namespace hypermon

namespace hypermon::hdtrace {

class Recording {
public:
  /// `folder`: the run's folder, in which the project has a folder of its own.
  Recording(const Spec& spec, const std::filesystem::path& folder, std::vector<NodeClock> clocks,
            std::int64_t processors, bool polls);

  const HdtraceParams& params() const { return params_; }
  const PowerParams& power_params() const { return power_; }
  const std::string& project() const { return project_; }
  const std::filesystem::path& folder() const { return folder_; }
  std::size_t nodes() const { return nodes_.size(); }
  std::int64_t processors() const { return processors_; }
  /// True if processes poll in MPI calls, false if they leave their processors idle.
  bool polls() const { return polls_; }
  TraceLedger& trace_ledger() { return ledger_; }
  const TraceLedger& trace_ledger() const { return ledger_; }
  Phases& phases() { return phases_; }
  const Phases& phases() const { return phases_; }
  Metered& power(std::size_t node) { return *nodes_[node]; }
  const Metered& power(std::size_t node) const { return *nodes_[node]; }
  NodeDisk& disk(std::size_t node) { return disks_[node]; }
  std::string host(std::size_t node) const;
  /// A file other than a statistics group. Headers and ends are not counted in its bytes.
  Output output(const Path& node, std::string_view suffix) const {
    return {folder_, file_name(project_, node, "", suffix)};
  }
  std::unique_ptr<StatisticsFile> statistics(const Path& node, const std::string& group, std::vector<Column> columns,
                                             Time begin = {});

  // --- from a rank's actor ---------------------------------------------------------------------------------------
  /// The process writes a state. A full buffer is flushed first.
  void write(RankState& rank, std::size_t node, TraceStream& stream, const std::string& text, std::uint64_t events);
  /// Writes the buffer to the disk. The process waits, unless the buffer goes to a server.
  void flush(RankState& rank, std::size_t node, TraceStream& stream);
  /// CPU time of the process.
  void work(RankState& rank, Time nominal);

  /// Full buffers that the node's daemon sends to a server.
  struct Shipment {
    TraceStream* stream;
    TraceStream::Parcel parcel;
  };
  std::deque<Shipment>& shipments(std::size_t node) { return shipments_[node]; }

  Time cpu() const { return cpu_; }
  void add_cpu(Time time) { cpu_ += time; }
  Time flushing() const { return flushing_; }
  std::uint64_t flushes() const { return flushes_; }

private:
  HdtraceParams params_;
  PowerParams power_;
  std::string project_;
  std::filesystem::path folder_;
  std::int64_t processors_;
  bool polls_;
  TraceLedger ledger_;
  std::vector<std::unique_ptr<Metered>> nodes_;
  std::vector<NodeDisk> disks_;
  std::vector<std::deque<Shipment>> shipments_;
  Phases phases_;
  Time cpu_;
  Time flushing_; // time that processes waited
  std::uint64_t flushes_ = 0;
};

} // namespace hypermon::hdtrace
