// SPDX-License-Identifier: BSD-3-Clause
// Replay of a recorded run: the same bursts pass through hardware that may have other parameters, without the program
// and its machine. The result equals that of a co-simulation byte for byte
// (tests/monitors/hypermon/python/test_replay.py).
#pragma once
#include "hw/hypermon/wiring/port_pace.hpp"
#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "sw/monitors/rerun.hpp"

namespace hypermon {

class RecordedRun final : public Rerun {
public:
  /// `directory`: for frame files and statistics. `fates`, if not null, is told the fate of every event. Throws
  /// UserError if the hardware applies back-pressure to the nodes, or does not exist.
  ///
  /// `own_boards`: the chain with the user's boards, which needs SystemC; null for hypermon's boards. `sinks` receive
  /// the data that the nodes write.
  RecordedRun(const Spec& spec, const std::string& directory, FateSink* fates = nullptr, const Cut& cut = {},
              std::unique_ptr<CaptureChain> own_boards = nullptr, std::vector<BurstSink*> sinks = {});

  void program_ends(Time at) override;
  void add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override;
  Json finish(const Json& recorded, const std::string& scenario, Time begin, Time end) override;
  std::vector<std::pair<std::string, std::string>> places() const override { return places_of(monitor_.losses()); }

private:
  Spec spec_;
  HypermonMonitor monitor_;
  std::vector<Time> datum_costs_; // by node
  Cut cut_;
  Time next_advance_;
  Time program_end_ = Time::never();
};

} // namespace hypermon
