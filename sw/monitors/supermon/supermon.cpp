// SPDX-License-Identifier: BSD-3-Clause
// The monitor `supermon`: system data alone, without data of the program.
#include "base/json_value.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/report.hpp"
#include "sw/monitors/supermon/deployment.hpp"

namespace hypermon {
namespace supermon {
namespace {

class SupermonMonitor final : public Monitor {
public:
  explicit SupermonMonitor(const Spec& spec) : deployment_(spec) {}

  bool records() const override { return false; } // observes no events
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void start(Site& site) override {
    site_ = &site;
    deployment_.start(site);
  }
  void finish(Time) override { deployment_.finish(); }
  void report(Results& results, Time, Time) const override {
    results.set(reported_keys.logged_bytes, deployment_.bytes());
    results.set(ledger_values(site_->samples().ledger()));
    deployment_.report(results);
    results.set(values_without_events());
  }

private:
  Site* site_ = nullptr;
  Deployment deployment_;
};

} // namespace
} // namespace supermon

MonitorKind supermon_monitor();
MonitorKind supermon_monitor() {
  return {.name = "supermon", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<supermon::SupermonMonitor>(setting.spec);
          }};
}

} // namespace hypermon
