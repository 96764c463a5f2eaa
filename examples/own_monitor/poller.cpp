// SPDX-License-Identifier: BSD-3-Clause
// A monitor of one's own: on every node a daemon reads counters each period and sends what they show over a network to
// a computer beside the machine.
#include "base/field.hpp"
#include "base/spec.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/plugin.hpp"
#include "sw/monitors/sample_log.hpp"

namespace {
using namespace hypermon;

struct PollerParams {
  std::string counters = "cpu.user";
  Milliseconds period_ms = 10;
  Microseconds read_us = 20;
  Bytes sample_bytes = 16;
  std::string network = "ethernet";
};

constexpr auto fields_of(const PollerParams*) {
  using P = PollerParams;
  return std::tuple{
      Field{"counters", &P::counters, any_value(), "",
            "Counters that the daemon reads (see `hypermon counters`), separated by blanks.", "chosen"},
      Field{"period_ms", &P::period_ms, range(0.1, 1e6), "Time from one reading of the counters to the next.",
            "chosen"},
      Field{"read_us", &P::read_us, range(0, 1e6), "CPU time of reading one counter.", "assumed"},
      Field{"sample_bytes", &P::sample_bytes, range(1, 65536), "Size of one sample on the network.", "assumed"},
      Field{"network", &P::network, any_value(), "", "Name of the network over which samples are sent (lan.name).",
            "chosen"}};
}
static_assert(all_members_described<PollerParams>());

class Poller : public Monitor {
public:
  explicit Poller(const PollerParams& params) : params_(params) {}
  bool records() const override { return false; } // no events
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void finish(Time) override {}

  void start(Site& site) override {
    log_ = &site.samples();
    const auto counters = site.counters().want_all(params_.counters, "poller.counters");
    const NetworkId network = site.network(params_.network, "poller.network");
    const Address analyst{{Place::Kind::beside, 0}, 1};
    for (std::uint32_t n = 0; n < site.nodes(); ++n)
      site.daemon(
          Place::node(NodeId{n}), "poller",
          [=, this, &site](Daemon& self) {
            const Time period = params_.period_ms;
            const NodeClock& clock = site.clock(NodeId{n});
            for (Time next = clock.first_mark(self.now(), period);; next += period) {
              self.sleep_until(clock.when(next, self.now())); // by the node's own clock
              self.compute(Time{params_.read_us} * std::ssize(counters));
              std::vector<Sample> taken;
              for (const CounterId counter : counters)
                taken.push_back(site.samples().take(NodeId{n}, {}, counter, self.now(), clock.read(self.now())));
              const auto bytes = params_.sample_bytes.number * std::ssize(taken);
              self.send(network, analyst, bytes, std::move(taken));
            }
          },
          "nodes");
    site.daemon(
        analyst.place, "analyst",
        [&site](Daemon& self) {
          while (const auto datagram = self.receive(1))
            for (const Sample& sample : std::any_cast<const std::vector<Sample>&>(datagram->content))
              site.samples().arrive(sample, self.now());
        },
        "machine.beside");
  }

  void report(Results& results, Time, Time) const override {
    const Ledger ledger = log_->ledger();
    results.set(reported_keys.logged_bytes,
                ledger.delivered.units * static_cast<std::uint64_t>(params_.sample_bytes.number));
    results.set(ledger_values(ledger));
    results.set(monitor_keys.group.empty());
    results.set(values_without_events());
  }

private:
  PollerParams params_;
  SampleLog* log_ = nullptr;
};

} // namespace

HYPERMON_PLUGIN((Plugin{{.kind = Part::Kind::monitor,
                         .name = "poller",
                         .sections = {section<PollerParams>("poller", "Daemon on each node that polls counters.")},
                         .monitor = {.ledger_unit = "samples",
                                     .takes_samples = true,
                                     .description = "a daemon on each node that polls counters"}},
                        {.name = "poller", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
                           return std::make_unique<Poller>(setting.spec.get<PollerParams>());
                         }}}))
