// SPDX-License-Identifier: BSD-3-Clause
// Reads the counters of the programs' messages (sw/os/counter_list.hpp).
#pragma once
#include "sw/mpi/message_counts.hpp"
#include "sw/os/node_counters.hpp"

#include <string>
#include <vector>

namespace hypermon {

class MessageCounters final : public CounterSource {
public:
  MessageCounters(const OperatingSystem& os, MessageCounts& counts) : os_(os), counts_(counts), processes_(os) {}
  std::span<const CounterInfo> counters() const override;
  std::string absence(std::size_t counter) const override;
  void keep(std::size_t counter) override;
  std::uint32_t parts(std::size_t counter, NodeId node) const override;
  std::vector<std::string> items(std::size_t counter) const override;
  std::optional<std::uint32_t> item(std::size_t counter, const std::string& name) override;
  std::int64_t read(std::size_t counter, NodeId node, CounterInstance instance, Time now) const override;

private:
  const OperatingSystem& os_;
  MessageCounts& counts_;
  Processes processes_;
};

} // namespace hypermon
