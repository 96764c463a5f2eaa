// SPDX-License-Identifier: BSD-3-Clause
// TAU (TAU over Supermon): profiles of routines and MPI calls, post mortem or while the program runs.
#pragma once
#include "base/json_value.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/monitors/tau/measurement.hpp"
#include "sw/monitors/tau/socket_calls.hpp"

#include <optional>

namespace hypermon {
struct MonitorSetting;
}

namespace hypermon::tau {

class TauMonitor : public Monitor {
public:
  explicit TauMonitor(const MonitorSetting& setting);

  bool records() const override { return false; } // the monitor uses no events of the catalogue
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void start(Site& site) override;
  void finish(Time program_end) override;
  void report(Results& results, Time begin, Time end) const override;

private:
  const Spec& spec_;
  ProfileLog log_;
  std::unique_ptr<Transport> transport_; ///< null: none
  std::optional<Measurement> measurement_;
  std::optional<SocketCalls> socket_calls_; ///< null with ktau.messages = off
};

} // namespace hypermon::tau
