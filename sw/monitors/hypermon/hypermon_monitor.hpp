// SPDX-License-Identifier: BSD-3-Clause
// HYPERMON as a monitor: an event leaves its node datum by datum through the performance port, the capture hardware
// merges and stamps the data, and the I/O node's program reads the frames and decodes the nodes' events.
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
    bool discard_at_port = false;    ///< for benchmarks: emissions take their time, but do not reach the hardware
    std::string directory;           ///< for frame files and statistics
    FateSink* fates = nullptr;       ///< receives the fate of every event; may be null
    std::vector<BurstSink*> sinks{}; ///< receive the data that the nodes write to their ports
    Cut cut{};                       ///< granularity of the boards' work
  };
  HypermonMonitor(const Spec& spec, const std::vector<NodeClock>& clocks, std::unique_ptr<CaptureChain> chain,
                  const Options& options);
  ~HypermonMonitor() override;

  const Catalogue& catalogue() const { return catalogue_; }
  /// Places where an event can get lost, by CauseId.
  const std::vector<TraceLoss>& losses() const { return checker_.losses(); }

  std::optional<Time> emit(const Emission& emission) override;
  void advance(Time now) override;
  /// Call if the program's end is known before the simulation reaches it (Rerun).
  void program_ends(Time at) { chain_->program_ends(at); }
  void finish(Time program_end) override;
  void report(Results& results, Time begin, Time end) const override;

private:
  /// A node's port: its timing by this node's crystal, and the state of the node's output.
  struct Port {
    NodeClock clock;
    Time datum_cost;
    Time pitch;
    CaptureChain::Line line;
    Time first_word; // time from its first strobe to the strobe that completes the event's first word
    std::uint64_t data = 0;
    std::int64_t last_start_us = 0; // on the local clock
    Time held;                      // time by which the stalls have lengthened its writes beyond their pitch
    Time expected_strobe;           // last strobe of the current write
    std::uint32_t silent = 0;       // number of consecutive data of that write whose strobes were lost,
    std::uint64_t silent_until = 0; // and the number of the datum after them
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
  std::array<std::uint8_t, max_hardware_nibbles> bytes_{}; // bytes of the current event
  TraceChecker checker_;
  Causes causes_;
  ErbParams erb_;
  FaultCounts faults_{};
  Reduction reduction_;
  std::optional<EventStatistics> statistics_; // with drain.reduction = statistics
  std::unique_ptr<CaptureChain> chain_;
  std::vector<std::unique_ptr<BoardTrace>> traces_; // one for each board
  std::vector<BurstSink*> sinks_;
};

} // namespace hypermon
