// SPDX-License-Identifier: BSD-3-Clause
// PCP, with which the SCMS paper compares SCMS (SCMS Table 2): a daemon on each host, and one client that fetches from
// the hosts in turn, each over its own connection. The client's cost of a fetch grows with the number of open hosts.
#pragma once
#include "hw/machine/site.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/monitors/pcp/params.hpp"
#include "sw/monitors/sample_log.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hypermon::pcp {

/// Properties of the machine that the monitor needs.
struct Around {
  std::string network;               ///< name of the network
  Place place;                       ///< place of the client
  std::vector<NodeId> hosts;         ///< in the order of the fetches
  std::function<Time()> program_end; ///< never() while the program runs
};

class PcpMonitor : public Monitor {
public:
  PcpMonitor(PcpParams params, Around around) : params_(std::move(params)), around_(std::move(around)) {}

  bool records() const override { return false; } // observes no events
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void start(Site& site) override;
  void finish(Time) override { lose_under_way("unfinished"); }
  void report(Results& results, Time begin, Time end) const override;

private:
  void serve(Daemon& self, NodeId host);
  void fetch_all_the_time(Daemon& self);
  void open_all(Daemon& self);
  void fetch(Daemon& self);
  /// Sends the client's message to the host's daemon and waits for the answer; none if the connection was reset.
  std::optional<Datagram> ask(Daemon& self, NodeId host, std::int64_t bytes, std::any content);
  void lose_under_way(const char* cause);
  static void work(Daemon& self, Time nominal, Time& sum);
  bool is_done() const;
  std::int64_t request_bytes() const {
    return (params_.request_bytes + std::ssize(counters_) * params_.request_metric_bytes).number;
  }
  std::int64_t result_bytes(std::int64_t values) const {
    return (params_.result_bytes + std::ssize(counters_) * params_.metric_bytes + values * params_.value_bytes +
            params_.block_bytes)
        .number;
  }
  /// CPU time of the client for the result of host number `place` of a fetch, from 0 on.
  Time client_cpu(std::int64_t place) const;

  PcpParams params_;
  Around around_;
  Site* site_ = nullptr;
  NetworkId network_{};
  std::vector<CounterId> counters_;
  std::vector<Sample> under_way_; // samples on their way to the client; hosts are queried one at a time
  std::set<NodeId> open_;
  std::optional<Time> all_open_;
  std::uint64_t fetches_ = 0;
  std::uint64_t missed_ = 0;
  std::uint64_t unanswered_ = 0;
  std::uint64_t bytes_ = 0;
  std::optional<Time> first_;
  Time longest_;
  Time sum_;
  Time client_cpu_;
  Time daemons_cpu_;
};

} // namespace hypermon::pcp
