// SPDX-License-Identifier: BSD-3-Clause
// HPVM's monitor (HPVM sec. 3): a monitor node queries the performance objects of every node periodically, over a
// network that the program does not use. Probes before and after the run measure the nodes' clocks.
#pragma once
#include "hw/machine/site.hpp"
#include "sw/monitors/hpvm/condition.hpp"
#include "sw/monitors/hpvm/global_clock.hpp"
#include "sw/monitors/hpvm/schedule.hpp"
#include "sw/monitors/hpvm/selection.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/monitors/sample_log.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::hpvm {

/// Properties of the machine that the monitor needs.
struct Around {
  std::string network;               ///< name of the network
  bool is_programs = false;          ///< true if the program's messages use the network as well
  Place place;                       ///< place of the monitor
  std::vector<NodeId> nodes;         ///< queried nodes
  Time flight;                       ///< shortest time of a message without data
  double bytes_per_s = 0;            ///< rate of the monitor's cable
  Time resolution;                   ///< resolution of the nodes' and the monitor's clocks
  std::int64_t processes = 1;        ///< on each node
  std::function<Time()> program_end; ///< never() while the program runs
};

class HpvmMonitor : public Monitor {
public:
  HpvmMonitor(const HpvmParams& params, const HpvmClockParams& clock, Around around);

  bool records() const override { return false; } // observes no events
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void start(Site& site) override;
  void finish(Time program_end) override { program_end_ = program_end; }
  void report(Results& results, Time begin, Time end) const override;

private:
  struct Reading {
    Time taken; ///< true time
    Time local;
  };
  struct Node {
    NodeId id;
    GlobalClock clock;
    std::vector<Reading> readings; // one for each answer
  };
  using NodePlaces = std::vector<std::size_t>; // indices in nodes_
  struct Thread {
    std::uint32_t port;
    NodePlaces nodes;
  };
  /// An active rule.
  struct Zoom {
    Rule rule;
    Selection selection;
    Condition condition;
    std::uint64_t sweeps = 0;
    std::uint64_t missed_sweeps = 0;
    std::uint64_t missed_samples = 0;
  };

  void serve_object(Daemon& self, Node& node, std::size_t object);
  void serve_clock(Daemon& self, NodeId node);
  void watch(Daemon& self, const Thread& thread);
  void probe(Daemon& self, const Thread& thread, void (GlobalClock::*keep)(const Fix&));
  /// Runs beside the thread's sweeps, on its own port.
  void zoom(Daemon& self, const Thread& thread, std::uint32_t port, Zoom& zoom);
  void sweep(Daemon& self, std::uint32_t port, const NodePlaces& nodes, const Selection& selection);
  void prepare_rules(Site& site);
  bool program_runs() const { return around_.program_end() == Time::never(); }
  std::int64_t values(const NodePlaces& nodes, const Selection& selection) const;
  Time cpu_time(std::int64_t values) const;
  std::int64_t reply_bytes(std::int64_t values) const {
    return (params_.reply_bytes + values * params_.counter_bytes).number;
  }
  /// Shortest duration of a sweep: without other traffic, or with others that use that share of the monitor's cable.
  Time sweep_takes(const Selection& selection, double others = 0) const;
  Time longest_sweep_takes() const;
  /// Time of the answers of a sweep of all nodes on the monitor's cable.
  Time on_cable(const Selection& selection) const;
  /// Reading of the reference clock for all times, at true time `t`.
  Time reference(Time t) const;
  Time reference_slack() const { return around_.place.kind == Place::Kind::node ? around_.resolution : Time{}; }
  ResultRecords rules_report() const;
  void report_clock(Results& results) const;

  HpvmParams params_;
  HpvmClockParams clock_;
  Around around_;
  ClockAssumptions assumed_;
  NodeClock monitor_clock_;
  std::vector<Node> nodes_;
  std::vector<Thread> threads_;
  Site* site_ = nullptr;
  std::vector<Phase> phases_;
  std::vector<Selection> selections_; // one for each phase
  std::vector<Zoom> zooms_;           // one for each rule
  std::vector<std::string_view> objects_;
  NetworkId network_{};
  Time program_end_;
  std::uint64_t sweeps_ = 0; // sweeps of all threads
  std::uint64_t missed_sweeps_ = 0;
  std::uint64_t missed_samples_ = 0;
  std::uint64_t queries_ = 0;
  std::uint64_t bytes_ = 0;
  Time longest_sweep_;
  Time cpu_time_;
};

} // namespace hypermon::hpvm
