// SPDX-License-Identifier: BSD-3-Clause
// HDTrace (Kunkel): the simulated nodes record every MPI call, layers of the parallel file system, utilization and
// power in HDTrace's own file formats.
#pragma once
#include "base/json_value.hpp"
#include "sw/monitors/hdtrace/clock_probes.hpp"
#include "sw/monitors/hdtrace/layers.hpp"
#include "sw/monitors/hdtrace/sampler.hpp"
#include "sw/monitors/hdtrace/wrapper.hpp"
#include "sw/monitors/monitor.hpp"

#include <optional>

namespace hypermon::hdtrace {

class HdtraceMonitor : public Monitor {
public:
  HdtraceMonitor(const Spec& spec, std::function<Time()> program_end)
      : spec_(spec), program_end_(std::move(program_end)) {}

  bool records() const override { return false; } // the monitor uses no events of the catalogue
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void start(Site& site) override;
  void finish(Time program_end) override;
  void report(Results& results, Time begin, Time end) const override;

private:
  /// The daemon that sends full buffers to the file server.
  void ship(Daemon& self, std::size_t node, ServerId server);
  void write_project() const;
  ResultRecords process_records() const;
  ResultRecords layer_records() const;
  void report_power(Results& results) const;
  void report_clocks(Results& results) const;

  const Spec& spec_;
  std::function<Time()> program_end_;
  Site* site_ = nullptr;
  std::optional<Recording> recording_;
  std::optional<Processes> processes_;
  std::optional<Wrapper> wrapper_;
  std::optional<Layers> layers_;
  std::optional<Sampler> sampler_;
  std::optional<ClockProbes> probes_;
  Time end_;
};

} // namespace hypermon::hdtrace
