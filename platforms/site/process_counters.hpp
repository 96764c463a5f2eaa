// SPDX-License-Identifier: BSD-3-Clause
// Reads what CPU time each process of a node has had: the program's ranks, competitors, monitors' daemons, by name.
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
  /// Of those that are known: program and competitors before the monitor has started its daemons.
  std::optional<std::uint32_t> item(std::size_t counter, const std::string& name) override {
    return number_of(name, items(counter));
  }
  std::int64_t read(std::size_t, NodeId node, CounterInstance of, Time now) const override;

  /// Of the processes of that name: new, if there were none.
  std::uint32_t number(const std::string& name);
  /// Daemons whose work the node's kernel does now.
  std::int64_t& at_work(NodeId node) { return at_work_[index(node)]; }
  /// Where to add what a daemon has the node's kernel do; null: nobody asks.
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
  std::vector<std::string> names_;            // program, competitors, who else there is
  std::vector<std::deque<BusyTime>> daemons_; // by node and name: they stay where they are
};

} // namespace hypermon
