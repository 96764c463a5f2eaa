// SPDX-License-Identifier: BSD-3-Clause
// Counters of the CPU time of each process of a node, by name: the program's ranks, competitors, monitors' daemons.
#pragma once
#include "base/counters.hpp"
#include "platforms/site/counter_list.hpp"
#include "sw/os/node_counters.hpp"

#include <deque>
#include <string>
#include <vector>

namespace hypermon {

class ProcessCounters final : public CounterSource {
public:
  ProcessCounters(const Spec& spec, OperatingSystem& os);
  std::span<const CounterInfo> counters() const override { return counter_list::of_processes; }
  std::string absence(std::size_t counter) const override;
  void keep(std::size_t counter) override;
  std::uint32_t parts(std::size_t, NodeId) const override { return 1; }
  std::vector<std::string> items(std::size_t counter) const override;
  /// Finds known processes only: before the monitor has started its daemons, these are the program and competitors.
  std::optional<std::uint32_t> item(std::size_t counter, const std::string& name) override {
    return number_of(name, items(counter));
  }
  std::int64_t read(std::size_t, NodeId node, CounterInstance instance, Time now) const override;

  /// Number of the processes of that name, which is assigned at the first call.
  std::uint32_t number(const std::string& name);
  /// Number of daemons for which the node's kernel works now.
  std::int64_t& at_work(NodeId node) { return at_work_[index(node)]; }
  /// Account of the node's kernel work for a daemon; null if the counter is not requested.
  BusyTime* work_of(NodeId node, std::uint32_t process);

private:
  std::int64_t runnable(NodeId node, Time now) const;
  Time cpu_time(NodeId node, std::uint32_t process, Time now) const;
  std::int64_t working_set(NodeId node, std::uint32_t process, Time now) const;

  OperatingSystem& os_;
  Processes ranks_;
  bool ranks_poll_;
  bool kept_ = false;
  std::vector<std::int64_t> at_work_;         // by node
  std::vector<std::string> names_;            // program, competitors, then others
  std::vector<std::deque<BusyTime>> daemons_; // by node and name; a deque keeps addresses valid
};

} // namespace hypermon
