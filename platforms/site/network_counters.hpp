// SPDX-License-Identifier: BSD-3-Clause
// Counters of the nodes' interfaces for traffic of daemons and file servers (Networks::interface).
#pragma once
#include "base/counters.hpp"
#include "hw/machine/networks.hpp"
#include "platforms/site/counter_list.hpp"

namespace hypermon {

class NetworkCounters final : public CounterSource {
public:
  explicit NetworkCounters(const Networks& networks) : networks_(networks) {}
  std::span<const CounterInfo> counters() const override { return counter_list::of_networks; }
  void keep(std::size_t) override {} // Networks always counts
  std::uint32_t parts(std::size_t, NodeId) const override { return static_cast<std::uint32_t>(networks_.count()); }
  std::int64_t read(std::size_t counter, NodeId node, CounterInstance instance, Time) const override;

private:
  const Networks& networks_;
};

} // namespace hypermon
