// SPDX-License-Identifier: BSD-3-Clause
// The monitor `supermon`: system data alone, without a program's own.
#include "base/json_value.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/supermon/deployment.hpp"

namespace hypermon {
namespace supermon {
namespace {

class SupermonMonitor final : public Monitor {
public:
  explicit SupermonMonitor(const Spec& spec) : deployment_(spec) {}

  bool records() const override { return false; } // it sees no events
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void start(Site& site) override {
    site_ = &site;
    deployment_.start(site);
  }
  void finish(Time) override { deployment_.finish(); }
  void report(Json& result, Time, Time) const override {
    result["logged_bytes"] = deployment_.bytes();
    result["ledger"] = to_json(site_->samples().ledger());
    result["monitor"] = {{"supermon", deployment_.report()}};
    result["latency_us"] = nullptr; // sampling.age_us has it
    result["timestamp_error_us"] = nullptr;
    result["causality_violations"] = 0;
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
