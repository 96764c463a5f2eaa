// SPDX-License-Identifier: BSD-3-Clause
// Records the data that the nodes wrote to their ports.
#pragma once
#include "sw/monitors/emission_recorder.hpp"
#include "sw/monitors/hypermon/burst_sink.hpp"

namespace hypermon {

class BurstRecorder : public BurstSink {
public:
  explicit BurstRecorder(const std::filesystem::path& folder) : to_(folder) {}

  void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override {
    to_.add(node, first, spacing, data, message, side);
  }
  void advance(Time horizon) override { to_.advance(horizon); }
  void close(Time program_end) override {
    to_.close();
    program_end_ = program_end;
  }
  /// The run was measured from `begin` to `end`.
  void measured(Time begin, Time end) const { to_.measured(begin, end, program_end_); }

private:
  EmissionRecorder to_;
  Time program_end_;
};

} // namespace hypermon
