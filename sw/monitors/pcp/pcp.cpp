// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/pcp/pcp.hpp"
#include "base/json_value.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/front_end.hpp"
#include "hw/machine/index_list.hpp"
#include "sw/monitors/instances.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/pcp/result_keys.hpp"
#include "sw/monitors/report.hpp"

#include <algorithm>

namespace hypermon::pcp {
namespace {

constexpr std::uint32_t daemon_port = 44321; // PCP's
constexpr std::uint32_t client_port = 1;

/// Contents of the client's messages: the one that opens a connection, and the fetch.
struct Hello {};
struct Fetch {};

} // namespace

void PcpMonitor::start(Site& site) {
  site_ = &site;
  network_ = site.network(around_.network, "pcp.network");
  counters_ = site.counters().want_all(params_.counters, "pcp.counters");
  for (const NodeId host : around_.hosts) // before the client, so that their ports are open for its first message
    site.daemon(
        Place::node(host), "pmcd", [this, host](Daemon& self) { serve(self, host); }, "pcp.hosts");
  site.daemon(
      around_.place, "client", [this](Daemon& self) { fetch_all_the_time(self); }, "pcp.client_node");
}

void PcpMonitor::work(Daemon& self, Time nominal, Time& sum) {
  self.compute(nominal);
  sum += nominal;
}

void PcpMonitor::serve(Daemon& self, NodeId host) {
  while (const auto message = self.receive(daemon_port)) {
    if (message->reset) continue;
    const auto answer = [&](std::int64_t bytes, std::any content) {
      bytes_ += static_cast<std::uint64_t>(bytes);
      self.stream(network_, daemon_port, message->from, {bytes}, std::move(content));
    };
    if (std::any_cast<Hello>(&message->content) != nullptr) {
      answer(params_.hello_bytes.number, {});
      continue;
    }
    std::int64_t values = 0;
    for (const CounterId counter : counters_)
      each_instance(site_->counters(), counter, host, [&](CounterInstance) { ++values; });
    work(self, Time(params_.daemon_us) + values * Time(params_.value_us), daemons_cpu_);
    const Time now = self.now();
    under_way_.clear();
    for (const CounterId counter : counters_)
      each_instance(site_->counters(), counter, host, [&](CounterInstance instance) {
        under_way_.push_back(site_->samples().take(host, instance, counter, now, site_->clock(host).read(now)));
      });
    answer(result_bytes(std::ssize(under_way_)), {});
  }
}

bool PcpMonitor::is_done() const {
  const bool has_ended = around_.program_end() != Time::never();
  return has_ended || (params_.fetches > 0 && fetches_ == static_cast<std::uint64_t>(params_.fetches));
}

void PcpMonitor::fetch_all_the_time(Daemon& self) {
  if (params_.open == PcpOpen::at_start) open_all(self);
  const NodeClock clock = site_->clock_at(around_.place);
  const Time begin = clock.local(self.now());
  const Time interval = params_.interval_s;
  // time of a fetch, by the client's clock
  const auto date = [&](std::int64_t number) { return begin + number * interval; };
  for (std::int64_t number = 0;;) {
    self.sleep_until(clock.when(date(number), self.now()));
    if (is_done()) return;
    fetch(self);
    if (is_done()) return; // fetches after the end do not count as missed
    for (++number; interval > Time{} && date(number) < clock.local(self.now()); ++number) ++missed_;
  }
}

void PcpMonitor::open_all(Daemon& self) {
  for (const NodeId host : around_.hosts) {
    if (!ask(self, host, params_.hello_bytes.number, Hello{})) continue;
    open_.insert(host);
  }
  if (open_.size() == around_.hosts.size()) all_open_ = self.now();
}

void PcpMonitor::fetch(Daemon& self) {
  const Time begin = self.now();
  std::int64_t place = 0;
  for (const NodeId host : around_.hosts) {
    if (!open_.contains(host)) {
      if (!ask(self, host, params_.hello_bytes.number, Hello{})) continue;
      open_.insert(host);
    }
    const auto result = ask(self, host, request_bytes(), Fetch{});
    if (!result) continue;
    work(self, client_cpu(place++), client_cpu_);
    for (const Sample& sample : under_way_) site_->samples().arrive(sample, self.now());
    under_way_.clear();
  }
  const Time took = self.now() - begin;
  ++fetches_;
  sum_ += took;
  longest_ = std::max(longest_, took);
  if (!first_) first_ = took;
}

std::optional<Datagram> PcpMonitor::ask(Daemon& self, NodeId host, std::int64_t bytes, std::any content) {
  const Address daemon{Place::node(host), daemon_port};
  bytes_ += static_cast<std::uint64_t>(bytes);
  self.stream(network_, client_port, daemon, {bytes}, std::move(content));
  while (auto message = self.receive(client_port)) {
    if (message->reset) open_.erase(NodeId{message->from.place.number});
    if (message->from != daemon) continue; // another host's connection was reset
    if (!message->reset) return message;
    ++unanswered_;
    lose_under_way("reset");
    break;
  }
  return std::nullopt;
}

void PcpMonitor::lose_under_way(const char* cause) {
  for (const Sample& sample : under_way_) site_->samples().lose(sample, "network", cause);
  under_way_.clear();
}

Time PcpMonitor::client_cpu(std::int64_t place) const {
  const auto others = std::ssize(open_) - 1;
  const bool is_beyond = params_.open_threshold > 0 && place >= params_.open_threshold;
  return Time(params_.fetch_us) + others * Time(params_.open_host_us) + (is_beyond ? Time(params_.beyond_us) : Time{});
}

void PcpMonitor::report(Results& results, Time, Time) const {
  const bool any = fetches_ > 0;
  results.set(reported_keys.logged_bytes, bytes_);
  results.set(ledger_values(site_->samples().ledger()));
  results.set(
      {pcp_keys.client.network(around_.network),
       pcp_keys.client.is_compute_node(around_.place.kind == Place::Kind::node), pcp_keys.client.cpu_s(client_cpu_),
       pcp_keys.client.open_s(all_open_), pcp_keys.hosts(around_.hosts.size()), pcp_keys.fetches(fetches_),
       pcp_keys.missed_fetches(missed_), pcp_keys.unanswered(unanswered_), pcp_keys.first_fetch_s(first_),
       pcp_keys.mean_fetch_s(any ? std::optional(sum_.seconds() / static_cast<double>(fetches_)) : std::nullopt),
       pcp_keys.longest_fetch_s(any ? std::optional(longest_) : std::nullopt), pcp_keys.daemons_cpu_s(daemons_cpu_)});
  results.set(values_without_events());
}

} // namespace hypermon::pcp

namespace hypermon {

MonitorKind pcp_monitor();
MonitorKind pcp_monitor() {
  return {.name = "pcp", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            const Spec& spec = setting.spec;
            const auto& params = spec.get<PcpParams>();
            const NetworkId network = network_beside(spec, params.network, "pcp.network");
            pcp::Around around;
            around.network = network_names(spec)[static_cast<std::size_t>(network)];
            around.place = place_beside(spec, network, params.client_node, "pcp.client_node");
            for (const std::uint32_t host :
                 all_or_index_list("pcp.hosts", params.hosts, spec.nodes, "numbers of nodes"))
              around.hosts.push_back(NodeId{host});
            around.program_end = setting.program_end;
            return std::make_unique<pcp::PcpMonitor>(params, std::move(around));
          }};
}

} // namespace hypermon
