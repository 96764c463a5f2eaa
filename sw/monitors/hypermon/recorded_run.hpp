// SPDX-License-Identifier: BSD-3-Clause
// A run again from its recording: the same bursts through hardware that may have other parameters, without the program
// and its machine. The result is that of a co-simulation, byte for byte
// (tests/monitors/hypermon/python/test_replay.py).
#pragma once
#include "hw/hypermon/wiring/port_pace.hpp"
#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "sw/monitors/rerun.hpp"

namespace hypermon {

class RecordedRun final : public Rerun {
public:
  /// `directory`: for frame files and statistics. `fates`, if given, is told what becomes of every event. Throws
  /// UserError if the hardware acts back, or is not there.
  RecordedRun(const Spec& spec, const std::string& directory, FateSink* fates = nullptr, const Cut& cut = {});

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
