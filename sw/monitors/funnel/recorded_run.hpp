// SPDX-License-Identifier: BSD-3-Clause
// A replay of a recorded run or of a stream of events with the trace funnel: the same messages pass through chips that
// may have other parameters. The result equals that of a co-simulation byte for byte
// (tests/monitors/funnel/test_replay.py).
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include "sw/monitors/funnel/chip_traces.hpp"
#include "sw/monitors/funnel/chip_waves.hpp"
#include "sw/monitors/funnel/stimulus_port.hpp"
#include "sw/monitors/rerun.hpp"

#include <memory>
#include <optional>

namespace hypermon {

class FunnelRerun final : public Rerun {
public:
  /// Throws UserError if a source can hold its node, because a replay cannot delay the program.
  FunnelRerun(const Spec& spec, FateSink* fates, const Cut& cut);

  /// Call before any row: writes waves from `from` until before `to`.
  void watch(const std::string& path, Time from, Time to);
  /// Call after finish(): completes the file and returns the number of changes of each signal.
  std::vector<std::uint64_t> transitions() { return waves_->close(); }

  void program_ends(Time at) override { program_end_ = at; }
  void add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override;
  Json finish(const Json& recorded, const std::string& scenario, Time begin, Time end) override;
  std::vector<std::pair<std::string, std::string>> places() const override { return ChipTraces::places(); }

private:
  Event event_in(std::span<const std::uint8_t> data) const;
  void advance(Time horizon);

  Spec spec_;
  bool is_stream_;
  Catalogue catalogue_;
  std::size_t store_bytes_;
  ChipTraces traces_;
  std::optional<ChipWaves> waves_;
  std::vector<StimulusPort> ports_;
  std::vector<Time> next_from_; // by node: earliest begin of its next event
  Cut cut_;
  Time last_first_;
  Time next_advance_;
  std::size_t rows_since_advance_ = 0;
  Time program_end_ = Time::never();
};

} // namespace hypermon
