// SPDX-License-Identifier: BSD-3-Clause
// HYPERMON as a monitor: events leave the node datum by datum through its performance port, the capture hardware
// merges and stamps them, the I/O node's program reads the frames and takes them apart into the nodes' events again.
#pragma once
#include "base/spec.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "sw/monitors/cut.hpp"
#include "sw/monitors/hypermon/burst_sink.hpp"
#include "sw/monitors/hypermon/causes.hpp"
#include "sw/monitors/hypermon/decoder.hpp"
#include "sw/monitors/hypermon/event_statistics.hpp"
#include "sw/monitors/hypermon/frame_file.hpp"
#include "sw/monitors/hypermon/frame_rate.hpp"
#include "sw/monitors/monitor.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace hypermon {

class HypermonMonitor : public Monitor {
public:
  struct Options {
    bool discard_at_port = false;    ///< emissions cost what they cost, but nothing reaches the hardware (benchmarks)
    std::string directory;           ///< for frame files and statistics
    FateSink* fates = nullptr;       ///< if given: also told what becomes of every event
    std::vector<BurstSink*> sinks{}; ///< also told what the nodes write to their ports
    Cut cut{};                       ///< how the boards' work is cut
  };
  HypermonMonitor(const Spec& spec, const std::vector<NodeClock>& clocks, std::unique_ptr<CaptureChain> chain,
                  const Options& options);
  ~HypermonMonitor() override;

  const Catalogue& catalogue() const { return catalogue_; }
  /// Where an event can have been lost, by CauseId.
  const std::vector<TraceLoss>& losses() const { return checker_.losses(); }

  std::optional<Time> emit(const Emission& emission) override;
  void advance(Time now) override;
  /// Where the program's end is known before it has come (Rerun).
  void program_ends(Time at) { chain_->program_ends(at); }
  void finish(Time program_end) override;
  void report(Results& results, Time begin, Time end) const override;

private:
  /// A node's port: its timing on this node's crystal, and how far the node has come.
  struct Port {
    NodeClock clock;
    Time datum_cost;
    Time pitch;
    CaptureChain::Line line;
    Time first_word; // from its first strobe to the one that completes the event's first word
    std::uint64_t data = 0;
    std::int64_t last_start_us = 0; // on the local clock
    Time held;                      // by which its writes took longer than their pitch
    Time expected_strobe;           // last one of the write that is under way
    std::uint32_t silent = 0;       // data of that write whose strobes were lost on the way, one after the other,
    std::uint64_t silent_until = 0; // and the datum behind them
  };
  class BoardTrace;

  void connect(NodeId node, const BoardTrace& trace);
  void silence(NodeId node, std::uint64_t datum);
  void written(NodeId node, Time strobe);
  void reset(std::size_t board, Time edge);
  std::span<const std::uint8_t> as_bytes(const HardwareRecord& record);

  Catalogue catalogue_;
  bool discard_;
  bool stalls_;
  std::uint32_t nibbles_per_datum_;
  std::string directory_;
  std::vector<Port> ports_;
  std::array<std::uint8_t, max_hardware_nibbles> bytes_{}; // of the event that is being written
  TraceChecker checker_;
  Causes causes_;
  Reduction reduction_;
  std::optional<EventStatistics> statistics_; // drain.reduction = statistics
  std::unique_ptr<CaptureChain> chain_;
  std::vector<std::unique_ptr<BoardTrace>> traces_; // one a board
  std::vector<BurstSink*> sinks_;
};

} // namespace hypermon
