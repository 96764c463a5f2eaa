// SPDX-License-Identifier: BSD-3-Clause
// Reads how much of the ranks' working sets is in the nodes' memory, and how many pages they missed.
#pragma once
#include "sw/os/node_counters.hpp"

namespace hypermon {

class MemoryCounters final : public CounterSource {
public:
  explicit MemoryCounters(OperatingSystem& os) : os_(os), processes_(os) {}
  std::span<const CounterInfo> counters() const override;
  std::string absence(std::size_t counter) const override;
  void keep(std::size_t) override {} // does nothing, because these counters are always kept
  std::uint32_t parts(std::size_t counter, NodeId node) const override;
  std::int64_t read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const override;

private:
  OperatingSystem& os_;
  Processes processes_;
};

/// Reason why a run has no memory counters; empty if it has them.
std::string absence_of_memory(const OperatingSystem& os);

} // namespace hypermon
