// SPDX-License-Identifier: BSD-3-Clause
// What became of every event of a replay, as columns.
#pragma once
#include "platforms/machine/node_seeds.hpp"
#include "python/bindings/bindings.hpp"
#include "sw/monitors/fates.hpp"

#include <array>
#include <vector>

namespace hypermon {

/// Memory grows with the events of the recording, some 80 bytes each.
class FateColumns final : public FateSink {
public:
  explicit FateColumns(const Spec& spec) : clocks_(node_clocks(spec)) {}

  void delivered(const Emitted& event, Time stamp, Time there) override {
    add(event);
    monitor_ps_.push_back(stamp.ps());
    delivered_ps_.push_back(there.ps());
    lost_.push_back(-1);
  }
  void lost(const Emitted& event, std::size_t place) override {
    add(event);
    monitor_ps_.push_back(0);
    delivered_ps_.push_back(0);
    lost_.push_back(static_cast<std::int16_t>(place));
  }
  void spurious(NodeId node, EventType type, Time stamp, Time there) override;

  /// NumPy arrays by name, in the order in which the events were settled; the columns are empty afterwards.
  pybind11::dict take(const std::vector<std::pair<std::string, std::string>>& places);

private:
  void add(const Emitted& event);

  std::vector<NodeClock> clocks_;
  std::vector<std::uint16_t> node_;
  std::vector<std::uint8_t> type_;
  std::array<std::vector<std::uint32_t>, 3> args_;
  std::vector<std::int64_t> true_ps_;
  std::vector<std::int64_t> emitted_ps_;
  std::vector<std::int64_t> software_ps_;
  std::vector<std::uint64_t> message_;
  std::vector<std::uint8_t> side_;
  std::vector<std::int64_t> monitor_ps_;
  std::vector<std::int64_t> delivered_ps_;
  std::vector<std::int16_t> lost_; // CauseId; -1: delivered
  // Events that no node emitted.
  std::vector<std::uint16_t> spurious_node_;
  std::vector<std::uint8_t> spurious_type_;
  std::vector<std::int64_t> spurious_monitor_ps_;
  std::vector<std::int64_t> spurious_delivered_ps_;
};

} // namespace hypermon
