// SPDX-License-Identifier: BSD-3-Clause
// Reads the counters that kernels keep (counter_list.hpp).
#pragma once
#include "base/counters.hpp"
#include "sw/os/operating_system.hpp"

#include <vector>

namespace hypermon {

/// The processes of each node: its ranks in ascending order.
class Processes {
public:
  explicit Processes(const OperatingSystem& os);
  /// Ranks in MPI_COMM_WORLD.
  const std::vector<std::size_t>& on_node(NodeId node) const { return ranks_[index(node)]; }
  std::uint32_t count(NodeId node) const { return static_cast<std::uint32_t>(on_node(node).size()); }

private:
  std::vector<std::vector<std::size_t>> ranks_; // the host's processes belong to no node
};

class KernelCounters final : public CounterSource {
public:
  explicit KernelCounters(OperatingSystem& os) : os_(os), processes_(os) {}
  std::span<const CounterInfo> counters() const override;
  void keep(std::size_t counter) override;
  std::uint32_t parts(std::size_t counter, NodeId node) const override;
  std::int64_t read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const override;

private:
  Time user_time(NodeId node, Time now) const;
  OperatingSystem& os_;
  Processes processes_;
};

} // namespace hypermon
