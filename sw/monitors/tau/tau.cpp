// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/tau.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/tau/transports.hpp"
#include "sw/mpi/layer.hpp"

namespace hypermon::tau {

TauMonitor::TauMonitor(const MonitorSetting& setting)
    : spec_(setting.spec), log_(setting.directory), transport_(make_transport(setting, log_)) {}

void TauMonitor::start(Site& site) {
  measurement_.emplace(spec_, operating_system(), transport_.get(), log_, site.folder());
  mpi_layer().observers.add(*measurement_);
  const auto& ktau = spec_.get<KtauParams>();
  if (ktau.messages == KtauMessages::sockets) // after TAU's wrapper, so that the wrapper's time is not included
    mpi_layer().observers.add(socket_calls_.emplace(ktau, rank_table().all().size()));
  if (transport_) transport_->start(site);
}

void TauMonitor::finish(Time program_end) {
  if (transport_) transport_->finish(program_end);
  log_.close();
}

} // namespace hypermon::tau

namespace hypermon {
namespace {

MonitorKind kind(const char* name) {
  return {.name = name, .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<tau::TauMonitor>(setting);
          }};
}

} // namespace

MonitorKind tau_monitor();
MonitorKind tau_monitor() { return kind("tau"); }
MonitorKind tau_nfs_monitor();
MonitorKind tau_nfs_monitor() { return kind("tau_nfs"); }
MonitorKind tau_supermon_monitor();
MonitorKind tau_supermon_monitor() { return kind("tau_supermon"); }

} // namespace hypermon
