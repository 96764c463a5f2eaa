// SPDX-License-Identifier: BSD-3-Clause
// RUT (HDTrace sec. 2.1): a daemon on each node that reads its utilisation periodically; and what power a tool makes of
// these records alone (HDPowerEstimation).
#pragma once
#include "base/counters.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/hdtrace/recording.hpp"

#include <memory>
#include <vector>

namespace hypermon::hdtrace {

class Sampler {
public:
  /// `nic_by_bytes`: nobody tells when interfaces work.
  Sampler(Recording& recording, Site& site, bool nic_by_bytes);
  void start();
  void close();

  struct Summary {
    std::uint64_t samples = 0;
    std::uint64_t missed = 0; ///< whose date had passed
    Time from;                ///< of the first interval
    Time to;
    double estimated = 0; ///< J, between these
    double truth = 0;     ///< J
  };
  const Summary& of(std::size_t node) const { return nodes_[node].summary; }

private:
  struct Reading {
    Time when;
    std::int64_t cpu = 0; // ps
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t written = 0;
    Time nic;
    Time polling; ///< of its processors
    double joules = 0;
  };
  struct Node {
    std::unique_ptr<StatisticsFile> utilization;
    std::unique_ptr<StatisticsFile> estimate;
    Summary summary;
  };
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
  std::vector<Node> nodes_;
};

} // namespace hypermon::hdtrace
