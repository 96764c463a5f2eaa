// SPDX-License-Identifier: BSD-3-Clause
// RUT (HDTrace sec. 2.1): a daemon on each node that reads its utilization periodically. Also estimates the power from
// these records alone, like HDPowerEstimation.
#pragma once
#include "base/counters.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/hdtrace/recording.hpp"

#include <memory>
#include <vector>

namespace hypermon::hdtrace {

class Sampler {
public:
  /// `nic_by_bytes`: the activity of interfaces is not reported, and is estimated from their bytes.
  Sampler(Recording& recording, Site& site, bool nic_by_bytes);
  void start();
  void close();

  struct Summary {
    std::uint64_t samples = 0;
    std::uint64_t missed = 0; ///< samples whose time had already passed
    Time from;                ///< begin of the first interval
    Time to;
    double estimated = 0; ///< J, from `from` to `to`
    double truth = 0;     ///< J
  };
  const Summary& summary(std::size_t node) const { return nodes_[node].summary; }
  /// Names of the groups of counters that the user selected.
  std::vector<std::string> groups() const;

private:
  struct Reading {
    Time when;
    std::int64_t cpu = 0; // in ps
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t written = 0;
    Time nic;
    Time polling; ///< polling time of its processors
    double joules = 0;
  };
  struct Group { // selected by the user
    struct Counter {
      CounterId id{};
      std::uint32_t item = 0;
      std::string name{};
    };
    std::string name;
    std::vector<Counter> counters{};
  };
  struct GroupOfNode {
    std::unique_ptr<StatisticsFile> file;
    std::vector<std::int64_t> before; // by column
  };
  struct Node {
    std::unique_ptr<StatisticsFile> utilization;
    std::unique_ptr<StatisticsFile> estimate;
    Summary summary{};
    std::vector<GroupOfNode> groups{}; // in the order of groups_
  };
  Group group(const std::string& text) const;
  std::vector<Column> columns_of(const Group& group, NodeId node) const;
  /// Values by column.
  std::vector<std::int64_t> read(const Group& group, NodeId node, Time now) const;
  void write_groups(std::size_t node, Time now);
  void run(Daemon& self, std::size_t node);
  Reading read(std::size_t node, Time now);
  void write(std::size_t node, const Reading& before, const Reading& now);
  std::int64_t sum(const std::vector<CounterId>& counters, std::size_t node, Time now) const;

  Recording& recording_;
  Site& site_;
  bool nic_by_bytes_;
  CounterId busy_;
  std::vector<CounterId> in_;
  std::vector<CounterId> out_;
  std::vector<Group> groups_;
  std::vector<Node> nodes_;
};

} // namespace hypermon::hdtrace
