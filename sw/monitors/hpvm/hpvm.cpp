// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/hpvm.hpp"
#include "base/plain_number.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/lan_params.hpp"
#include "hw/machine/params.hpp"
#include "sw/monitors/hpvm/place_of_monitor.hpp"
#include "sw/monitors/hpvm/result_keys.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace hypermon::hpvm {
namespace {

constexpr std::uint32_t clock_port = 1;
constexpr std::uint32_t first_object = 2;
constexpr std::uint32_t first_thread = 100;

struct Request {
  Address answer_to;
  const Selection* selection;
  const Query* query;
};
struct Probe {
  Address answer_to;
};

Time on_wire(Bytes bytes, double bytes_per_s) {
  return Time::from_seconds_rounded(static_cast<double>(bytes.number) / bytes_per_s);
}

} // namespace

HpvmMonitor::HpvmMonitor(const HpvmParams& params, const HpvmClockParams& clock, Around around)
    : params_(params), clock_(clock),
      around_(std::move(around)), assumed_{clock.min_us, clock.drift_ppm * 1e-6, around_.resolution},
      monitor_clock_(0, {}, around_.resolution), phases_(phases_of(params)) {
  for (const NodeId node : around_.nodes) nodes_.push_back({node, GlobalClock(assumed_), {}});
  const auto count = std::min(static_cast<std::size_t>(params.threads), nodes_.size());
  for (std::size_t t = 0; t < count; ++t) threads_.push_back({first_thread + static_cast<std::uint32_t>(t), {}});
  for (std::size_t n = 0; n < nodes_.size(); ++n) threads_[n % count].nodes.push_back(n);
}

void HpvmMonitor::start(Site& site) {
  site_ = &site;
  network_ = site.network(around_.network, "hpvm.network");
  if (around_.place.kind == Place::Kind::node) monitor_clock_ = site.clock(NodeId{around_.place.number});
  Time longest_interval;
  for (const Phase& phase : phases_) {
    selections_.emplace_back(site.counters(), params_, phase.counters, phase.path, around_.processes, objects_);
    longest_interval = std::max(longest_interval, phase.interval);
    const Time least = sweep_takes(selections_.back());
    if (least > phase.interval && params_.too_slow == TooSlow::refuse)
      throw UserError((&phase == phases_.data() ? "hpvm.interval_s = " : "hpvm.schedule: ") +
                      plain_number(phase.interval.seconds()) + ": a sweep of " + std::to_string(nodes_.size()) +
                      " nodes takes " + plain_number(least.seconds()) +
                      " s at least; poll fewer counters or nodes, use more hpvm.threads, or set hpvm.too_slow = miss");
  }
  prepare_rules(site);
  for (Node& node : nodes_) { // before the monitor's own: their ports must be open when its first message arrives
    const Place place = Place::node(node.id);
    for (std::size_t object = 0; object < objects_.size(); ++object)
      site.daemon(
          place, "object", [this, &node, object](Daemon& self) { serve_object(self, node, object); }, "hpvm.nodes");
    site.daemon(
        place, "clock", [this, id = node.id](Daemon& self) { serve_clock(self, id); }, "hpvm.nodes");
  }
  for (const Thread& thread : threads_)
    site.daemon(
        around_.place, "monitor", [this, &thread](Daemon& self) { watch(self, thread); }, "hpvm.monitor_node");
  std::uint32_t port = first_thread + static_cast<std::uint32_t>(threads_.size());
  for (Zoom& state : zooms_)
    for (const Thread& thread : threads_)
      site.daemon(
          around_.place, "zoom",
          [this, &thread, &state, own = port++](Daemon& self) { zoom(self, thread, own, state); }, "hpvm.monitor_node");
  // The monitor notices the program's end only at its next sweep, and then sends the probes.
  const auto probes = static_cast<std::int64_t>(nodes_.size()) * clock_.probes;
  site.linger(monitor_clock_.stretch(longest_interval) + 10 * longest_sweep_takes() + 1'000'000_us +
              probes * (4 * around_.flight + 1000_us));
}

void HpvmMonitor::serve_object(Daemon& self, Node& node, std::size_t object) {
  SampleLog& log = site_->samples();
  while (const auto datagram = self.receive(first_object + static_cast<std::uint32_t>(object))) {
    const auto request = std::any_cast<Request>(datagram->content);
    const auto count = request.selection->values(*request.query, node.id);
    const Time work = cpu_time(count);
    self.compute(work);
    cpu_time_ += work;
    const Time now = self.now();
    const Time local = site_->clock(node.id).read(now);
    node.readings.push_back({now, local});
    std::vector<Sample> taken;
    taken.reserve(static_cast<std::size_t>(count));
    request.selection->each(*request.query, node.id, [&](CounterId counter, CounterInstance instance) {
      taken.push_back(log.take(node.id, instance, counter, now, local));
    });
    const auto bytes = reply_bytes(std::ssize(taken));
    bytes_ += static_cast<std::uint64_t>(bytes);
    self.send(network_, request.answer_to, bytes, std::move(taken));
  }
}

void HpvmMonitor::serve_clock(Daemon& self, NodeId node) {
  while (const auto datagram = self.receive(clock_port)) {
    self.compute(clock_.read_us);
    const auto probe = std::any_cast<Probe>(datagram->content);
    self.send(network_, probe.answer_to, clock_.probe_bytes.number, site_->clock(node).read(self.now()));
  }
}

void HpvmMonitor::watch(Daemon& self, const Thread& thread) {
  const Time interval = phases_.front().interval;
  const Time begin =
      std::max(monitor_clock_.local(self.now()), monitor_clock_.first_mark(self.now(), interval) - interval);
  probe(self, thread, &GlobalClock::before);
  // A sweep whose time passes during another sweep is omitted instead of being made late.
  const auto next_from = [&](Time last) {
    Time next = sweep_after(phases_, last);
    for (; next < monitor_clock_.local(self.now()); next = sweep_after(phases_, next)) {
      ++missed_sweeps_;
      missed_samples_ += static_cast<std::uint64_t>(values(thread.nodes, selections_[phase_at(phases_, next)]));
    }
    return next;
  };
  for (Time date = next_from(begin);; date = next_from(date)) {
    const Time due = monitor_clock_.when(date, self.now());
    self.sleep_until(due);
    if (!program_runs()) break;
    sweep(self, thread.port, thread.nodes, selections_[phase_at(phases_, date)]);
    longest_sweep_ = std::max(longest_sweep_, self.now() - due);
    ++sweeps_;
    if (!program_runs()) break; // sweeps after the program's end do not count as missed
  }
  if (clock_.when == Probing::both) probe(self, thread, &GlobalClock::after);
}

void HpvmMonitor::sweep(Daemon& self, std::uint32_t port, const NodePlaces& nodes, const Selection& selection) {
  for (const std::size_t n : nodes) {
    const Node& node = nodes_[n];
    for (const Query& query : selection.queries()) {
      const Address object{Place::node(node.id), first_object + static_cast<std::uint32_t>(query.object)};
      self.send(network_, object, params_.request_bytes.number, Request{{around_.place, port}, &selection, &query});
      ++queries_;
      bytes_ += static_cast<std::uint64_t>(params_.request_bytes.number);
    }
    for (std::size_t q = 0; q < selection.queries().size(); ++q) {
      const auto answer = self.receive(port);
      for (const Sample& sample : std::any_cast<const std::vector<Sample>&>(answer->content)) {
        site_->samples().arrive(sample, self.now());
        if (program_runs())
          for (Zoom& zoom : zooms_) zoom.condition.arrive(sample, self.now());
      }
    }
  }
}

void HpvmMonitor::probe(Daemon& self, const Thread& thread, void (GlobalClock::*keep)(const Fix&)) {
  for (const std::size_t n : thread.nodes) {
    if (Place::node(nodes_[n].id) == around_.place) { // the clock is the monitor's own
      const Time now = reference(self.now());
      (nodes_[n].clock.*keep)({now, now, {}});
      continue;
    }
    for (std::int64_t i = 0; i < clock_.probes; ++i) {
      const Time sent = monitor_clock_.read(self.now());
      self.send(network_, {Place::node(nodes_[n].id), clock_port}, clock_.probe_bytes.number,
                Probe{{around_.place, thread.port}});
      const auto answer = self.receive(thread.port);
      const Time received = monitor_clock_.read(self.now());
      (nodes_[n].clock.*keep)(fix_of(sent, received, std::any_cast<Time>(answer->content), assumed_));
    }
  }
}

std::int64_t HpvmMonitor::values(const NodePlaces& nodes, const Selection& selection) const {
  std::int64_t sum = 0;
  for (const std::size_t n : nodes) sum += selection.values(nodes_[n].id);
  return sum;
}

Time HpvmMonitor::cpu_time(std::int64_t values) const {
  return Time(params_.query_us + (params_.way == WayToAsk::pdh ? params_.pdh_us : Microseconds())) +
         values * Time(params_.counter_us);
}

Time HpvmMonitor::longest_sweep_takes() const {
  Time longest;
  for (const Selection& selection : selections_) longest = std::max(longest, sweep_takes(selection));
  return longest;
}

Time HpvmMonitor::on_cable(const Selection& selection) const {
  std::int64_t bytes = 0;
  for (const Node& node : nodes_)
    if (Place::node(node.id) != around_.place)
      for (const Query& query : selection.queries()) bytes += reply_bytes(selection.values(query, node.id));
  return on_wire(bytes, around_.bytes_per_s);
}

Time HpvmMonitor::sweep_takes(const Selection& selection, double others) const {
  Time least;
  for (const Thread& thread : threads_) {
    Time takes;
    for (const std::size_t n : thread.nodes) {
      if (Place::node(nodes_[n].id) == around_.place) continue; // no network in between
      std::map<std::size_t, Time> of_object;                    // different objects may overlap
      for (const Query& query : selection.queries())
        of_object[query.object] += cpu_time(selection.values(query, nodes_[n].id));
      Time work;
      for (const auto& [object, time] : of_object) work = std::max(work, time);
      takes += 2 * around_.flight + on_wire(params_.request_bytes, around_.bytes_per_s) + work;
    }
    least = std::max(least, takes);
  }
  constexpr double least_share = 1e-9; // other traffic may use the whole cable
  const double seconds = on_cable(selection).seconds() / std::max(least_share, 1 - others);
  return std::max(least, Time::from_seconds_rounded(seconds));
}

Time HpvmMonitor::reference(Time t) const {
  if (around_.place.kind != Place::Kind::node) return t;
  return monitor_clock_.read(t) + Time::from_ps(around_.resolution.ps() / 2);
}

void HpvmMonitor::report_clock(Results& results) const {
  const auto& keys = hpvm_keys.clock;
  ResultRecords nodes(keys.nodes.list);
  Time bound;
  Time error;
  Time start_alone;
  std::uint64_t outside = 0;
  const auto away = [&](Time estimate, const Reading& reading) {
    return Time::from_ps(std::abs((estimate - reference(reading.taken)).ps()));
  };
  for (const Node& node : nodes_) {
    if (!node.clock.known()) continue;
    Time own_bound;
    Time own_error;
    Time own_start;
    std::uint64_t own_outside = 0;
    for (const Reading& reading : node.readings) {
      const Time promised = node.clock.bound(reading.local);
      const Time off = away(node.clock.at(reading.local), reading);
      own_bound = std::max(own_bound, promised);
      own_error = std::max(own_error, off);
      own_start = std::max(own_start, away(node.clock.from_the_start_alone(reading.local), reading));
      own_outside += off > promised + reference_slack() ? 1 : 0;
    }
    const auto time_of = [](const std::optional<Fix>& fix, Time Fix::*time) {
      return fix ? std::optional((*fix).*time) : std::nullopt;
    };
    const std::optional<Fix> before = node.clock.fix_before();
    const std::optional<Fix> after = node.clock.fix_after();
    nodes.add({keys.nodes.node(index(node.id)), keys.nodes.offset_us(node.clock.offset()),
               keys.nodes.drift_ppm(node.clock.drift() * 1e6), keys.nodes.readings(node.readings.size()),
               keys.nodes.bound_us(own_bound), keys.nodes.error_us(own_error),
               keys.nodes.start_alone_error_us(own_start), keys.nodes.outside(own_outside),
               keys.nodes.before_local_ps(time_of(before, &Fix::local)),
               keys.nodes.before_monitor_ps(time_of(before, &Fix::monitor)),
               keys.nodes.before_bound_us(time_of(before, &Fix::bound)),
               keys.nodes.after_local_ps(time_of(after, &Fix::local)),
               keys.nodes.after_monitor_ps(time_of(after, &Fix::monitor)),
               keys.nodes.after_bound_us(time_of(after, &Fix::bound))});
    bound = std::max(bound, own_bound);
    error = std::max(error, own_error);
    start_alone = std::max(start_alone, own_start);
    outside += own_outside;
  }
  results.set({keys.bound_us(bound), keys.error_us(error), keys.start_alone_error_us(start_alone),
               keys.outside(outside), std::move(nodes)});
}

void HpvmMonitor::report(Results& results, Time, Time) const {
  results.set(reported_keys.logged_bytes, bytes_);
  results.set(ledger_values(site_->samples().ledger()));
  NodePlaces all(nodes_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::int64_t most = 0;
  for (const Selection& selection : selections_) most = std::max(most, values(all, selection));
  results.set({hpvm_keys.network(around_.network), hpvm_keys.shares_programs_network(around_.is_programs),
               hpvm_keys.is_compute_node(around_.place.kind == Place::Kind::node), hpvm_keys.objects(objects_),
               hpvm_keys.values_a_sweep(most), hpvm_keys.sweeps(sweeps_), hpvm_keys.missed_sweeps(missed_sweeps_),
               hpvm_keys.missed_samples(missed_samples_), hpvm_keys.least_sweep_s(longest_sweep_takes()),
               hpvm_keys.longest_sweep_s(longest_sweep_), hpvm_keys.queries(queries_),
               hpvm_keys.query_cpu_s(cpu_time_)});
  report_clock(results);
  if (!zooms_.empty()) results.set(rules_report());
  results.set(values_without_events());
}

} // namespace hypermon::hpvm

namespace hypermon {

MonitorKind hpvm_monitor();
MonitorKind hpvm_monitor() {
  return {.name = "hpvm", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            const Spec& spec = setting.spec;
            const auto& params = spec.get<HpvmParams>();
            const NetworkId network = hpvm::network_of_monitor(spec);
            hpvm::Around around;
            around.network = network_names(spec)[static_cast<std::size_t>(network)];
            around.is_programs = network == NetworkId{};
            around.place = hpvm::place_of_monitor(spec);
            around.nodes = hpvm::nodes_to_ask(spec);
            around.resolution = spec.get<NodeParams>().clock_resolution_ns;
            around.processes = spec.get<CpuParams>().ranks_per_node;
            around.program_end = setting.program_end;
            around.bytes_per_s = spec.get<NetworkParams>().bandwidth_mb_per_s * 1e6;
            if (!around.is_programs) {
              const LanParams& lan = spec.get<LanSection>().instance(static_cast<std::size_t>(network) - 1);
              around.flight = lan.latency_us;
              around.bytes_per_s = lan.bandwidth_mb_per_s * 1e6;
            }
            return std::make_unique<hpvm::HpvmMonitor>(params, spec.get<HpvmClockParams>(), std::move(around));
          }};
}

} // namespace hypermon
