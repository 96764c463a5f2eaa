// HYPERMON as a monitor: events leave the node nibble by nibble through its performance port, the capture hardware
// merges and stamps them, the I/O node's program reads the frames and takes them apart into the nodes' events again.
#pragma once
#include "platforms/ipsc2/capture_chain.hpp"
#include "platforms/spec/spec.hpp"
#include "sw/instrumentation/decoder.hpp"
#include "sw/monitors/hypermon/frame_rate.hpp"
#include "sw/monitors/monitor.hpp"

#include <array>
#include <vector>

namespace hypermon {

class HypermonMonitor : public Monitor {
public:
  /// `discard_at_port`: emissions cost what they cost, but nothing reaches the hardware (for benchmarks).
  HypermonMonitor(const Spec& spec, std::vector<NodeClock> clocks, bool discard_at_port);

  std::optional<Time> emit(const Emission& emission) override;
  void advance(Time now) override;
  void finish() override;
  void report(nlohmann::ordered_json& result, Time begin, Time end) const override;

private:
  /// A node's port: its timing on this node's crystal, and how far the node has come.
  struct Port {
    NodeClock clock;
    Time nibble_cost;
    Time pitch;
    std::uint64_t nibbles = 0;
    std::int64_t last_start_us = 0; // on the local clock
  };
  /// What a board's I/O node does with what it reads: it takes it apart into the nodes' events.
  class BoardTrace : public FrameSink {
  public:
    BoardTrace(FrameDecoder decoder, FrameRate& rate) : decoder_(std::move(decoder)), rate_(rate) {}
    void frames(std::span<const DeliveredFrame> frames) override;
    void stretch(const Stretch& stretch) override;
    void finish() { decoder_.finish(); }

  private:
    FrameDecoder decoder_;
    FrameRate& rate_;
  };
  using LossCauses = std::array<CauseId, loss_causes>; // by LossCause

  bool discard_;
  std::vector<Port> ports_;
  TraceChecker checker_;
  StreamTiming timing_;
  LossCauses causes_;
  FrameRate frame_rate_;
  CaptureChain chain_;
  std::vector<BoardTrace> traces_; // one a board
};

} // namespace hypermon
