// SPDX-License-Identifier: BSD-3-Clause
// The least that a monitor is: every event costs its node some time and is counted.
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/plugin.hpp"
#include "sw/monitors/report.hpp"

namespace {

using namespace hypermon;

struct CountingParams {
  Microseconds event_us = 7;
  std::int64_t most = 1000000;
};

constexpr auto fields_of(const CountingParams*) {
  return std::tuple{Field{"event_us", &CountingParams::event_us, range(0, 1000), "CPU time of an event.", "test"},
                    Field{"most", &CountingParams::most, range(1, 1e9), "events", "It counts no further.", "test"}};
}
static_assert(all_members_described<CountingParams>());

struct CountingKeys {
  ResultKey<int> counted{"monitor.counted", "events", "Number of events that the monitor counting counted."};
};
constexpr CountingKeys counting_keys{};

class Counting : public Monitor {
public:
  explicit Counting(const MonitorSetting& setting)
      : params_(setting.spec.get<CountingParams>()),
        catalogue_(read_catalogue(setting.spec.get<InstrumentationParams>().catalogue)) {}

  std::optional<Time> emit(const Emission& emission) override {
    ++events_;
    bytes_ += static_cast<std::uint64_t>(catalogue_.software_bytes(emission.event.type));
    return params_.event_us;
  }
  void advance(Time) override {}
  void finish(Time) override {}
  void report(Results& results, Time, Time) const override {
    const std::uint64_t counted = std::min(events_, static_cast<std::uint64_t>(params_.most));
    Ledger ledger("events");
    ledger.generated = {events_, events_};
    ledger.delivered = {counted, counted};
    ledger.lost.push_back({"counter", "full", {events_ - counted, events_ - counted}});
    results.set(reported_keys.logged_bytes, bytes_);
    results.set(ledger_values(ledger));
    results.set(counting_keys.counted, counted);
    results.set(values_without_events());
  }

private:
  CountingParams params_;
  Catalogue catalogue_;
  std::uint64_t events_ = 0;
  std::uint64_t bytes_ = 0;
};

void check(const Spec& spec) {
  if (spec.monitor == "counting" && spec.nodes > 64) throw UserError("nodes: counting has fingers for 64");
}

Part part() {
  return {.kind = Part::Kind::monitor,
          .name = "counting",
          .sections = {section<CountingParams>("counting", "The counting monitor.")},
          .check = check,
          .results = keys_of(counting_keys),
          .monitor = {.ledger_unit = "events", .losses = {{"counter", "full"}}}};
}

MonitorKind kind() {
  return {.name = "counting", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<Counting>(setting);
          }};
}

} // namespace

HYPERMON_PLUGIN((hypermon::Plugin{part(), kind()}))
