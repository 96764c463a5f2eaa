// SPDX-License-Identifier: BSD-3-Clause
// The rules that the monitor evaluates, and the sweeps that they cause.
#include "base/plain_number.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/hpvm/hpvm.hpp"
#include "sw/monitors/hpvm/result_keys.hpp"

#include <algorithm>

namespace hypermon::hpvm {
namespace {

Time a_second(Time of_interval, Time interval) {
  return Time::from_seconds_rounded(of_interval.seconds() / interval.seconds());
}

} // namespace

void HpvmMonitor::prepare_rules(Site& site) {
  Time shortest = Time::never();
  Time cable; // share of each second in which all other sweeps use the cable
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    cable = std::max(cable, a_second(on_cable(selections_[p]), phases_[p].interval));
    shortest = std::min(shortest, phases_[p].interval);
  }
  const std::string path = "hpvm.rules";
  for (const Rule& rule : rules_of(params_)) {
    const CounterId id = site.counters().want(rule.counter.counter, path);
    Condition condition(rule, site.counters().info(id), id, item_of(site.counters(), id, rule.counter, path),
                        Time::from_ps(std::min(shortest, rule.interval).ps() / 2));
    const Zoom& zoom = zooms_.emplace_back(
        Zoom{rule, Selection(site.counters(), params_, rule.counters, path, around_.processes, objects_), condition});
    const Time least = sweep_takes(zoom.selection, cable.seconds());
    if (least > rule.interval && params_.too_slow == TooSlow::refuse)
      throw UserError(path + " = " + rule.text + ": while it is so on all " + std::to_string(nodes_.size()) +
                      " nodes, a sweep of them takes " + plain_number(least.seconds()) +
                      " s at least beside the others; poll fewer counters or nodes, use more hpvm.threads, or set "
                      "hpvm.too_slow = miss");
    cable += a_second(on_cable(zoom.selection), rule.interval);
  }
}

void HpvmMonitor::zoom(Daemon& self, const Thread& thread, std::uint32_t port, Zoom& zoom) {
  for (Time date = monitor_clock_.first_mark(self.now(), zoom.rule.interval);; date += zoom.rule.interval) {
    self.sleep_until(monitor_clock_.when(date, self.now()));
    if (!program_runs()) return;
    NodePlaces nodes;
    for (const std::size_t n : thread.nodes)
      if (zoom.condition.holds(nodes_[n].id)) nodes.push_back(n);
    if (nodes.empty()) continue;
    sweep(self, port, nodes, zoom.selection);
    ++zoom.sweeps;
    if (!program_runs()) return;
    for (; date + zoom.rule.interval < monitor_clock_.local(self.now()); date += zoom.rule.interval) {
      ++zoom.missed_sweeps;
      zoom.missed_samples += static_cast<std::uint64_t>(values(nodes, zoom.selection));
    }
  }
}

ResultRecords HpvmMonitor::rules_report() const {
  const auto& keys = hpvm_keys.rules;
  ResultRecords rules(keys.list);
  for (const Zoom& zoom : zooms_)
    rules.add({keys.rule(zoom.rule.text), keys.fired(zoom.condition.fired()), keys.first_s(zoom.condition.first()),
               keys.nodes(zoom.condition.nodes()), keys.sweeps(zoom.sweeps), keys.missed_sweeps(zoom.missed_sweeps),
               keys.missed_samples(zoom.missed_samples)});
  return rules;
}

} // namespace hypermon::hpvm
