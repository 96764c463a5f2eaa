// SPDX-License-Identifier: BSD-3-Clause
// Results of a run with HDTrace.
#include "sw/monitors/hdtrace/hdtrace.hpp"
#include "sw/monitors/hdtrace/result_keys.hpp"
#include "sw/monitors/report.hpp"

#include <cmath>

namespace hypermon::hdtrace {

ResultRecords HdtraceMonitor::process_records() const {
  const auto& keys = hdtrace_keys.processes;
  ResultRecords records(keys.list);
  for (const auto& process : processes_->all())
    if (process)
      records.add({keys.rank(process->rank), keys.node(process->node), keys.states(process->states),
                   keys.relations(process->tokens), keys.trace_bytes(process->trace.output().bytes()),
                   keys.relation_bytes(process->relations.output().bytes()), keys.info_bytes(process->info.bytes())});
  return records;
}

ResultRecords HdtraceMonitor::layer_records() const {
  const auto& keys = hdtrace_keys.layers;
  ResultRecords records(keys.list);
  for (const Layers::Summary& layer : layers_->summaries()) {
    std::string name;
    for (const std::string& part : layer.path) name += (name.empty() ? "" : "/") + part;
    records.add({keys.layer(name), keys.operations(layer.operations), keys.unfinished(layer.unfinished),
                 keys.unrelated(layer.unrelated), keys.most_pending(layer.most_pending), keys.time_s(layer.time)});
  }
  return records;
}

void HdtraceMonitor::report_power(Results& results) const {
  const auto& keys = hdtrace_keys.power;
  ResultRecords computers(keys.computers.list);
  double joules = 0;
  double metered = 0;
  double estimated = 0;
  double truth = 0;
  std::uint64_t samples = 0;
  std::uint64_t missed = 0;
  for (std::size_t n = 0; n < recording_->nodes(); ++n) {
    const Metered& power = recording_->power(n);
    const Computer& computer = power.computer();
    const Meter* const meter = power.meter();
    const Sampler::Summary* const sampled = sampler_ ? &sampler_->summary(n) : nullptr;
    const auto of_meter = [&] { return meter != nullptr ? std::optional(meter->joules()) : std::nullopt; };
    computers.add({keys.computers.computer(recording_->host(n)), keys.computers.joules(computer.joules()),
                   keys.computers.mean_w(end_ > Time{} ? computer.joules() / end_.seconds() : 0.0),
                   keys.computers.metered_joules(of_meter()),
                   keys.computers.readings(meter != nullptr ? meter->readings() : 0),
                   keys.computers.estimated_joules(sampled ? std::optional(sampled->estimated) : std::nullopt),
                   keys.computers.sampled_joules(sampled ? std::optional(sampled->truth) : std::nullopt)});
    if (sampled != nullptr) {
      estimated += sampled->estimated;
      truth += sampled->truth;
      samples += sampled->samples;
      missed += sampled->missed;
    }
    joules += power.computer().joules();
    if (power.meter() != nullptr) metered += power.meter()->joules();
  }
  ResultRecords phases(keys.phases.list);
  std::optional<double> computing_w;
  std::optional<std::string> call;
  std::optional<double> call_w;
  Time longest;
  for (const auto& [name, phase] : recording_->phases().all())
    if (phase.time > Time{}) {
      const double watts = phase.joules / phase.time.seconds();
      phases.add({keys.phases.phase(name), keys.phases.time_s(phase.time), keys.phases.joules(phase.joules),
                  keys.phases.mean_w(watts)});
      if (name == "computing") computing_w = watts;
      if (name.starts_with("MPI_") && phase.time > longest) {
        longest = phase.time;
        call = name;
        call_w = watts;
      }
    }
  double servers = 0;
  for (const Metered* server : layers_->server_power()) servers += server->computer().joules();
  const bool is_metered = Time(recording_->power_params().meter_ms) > Time{};
  results.set({keys.joules(joules), keys.server_joules(servers),
               keys.metered_joules(is_metered ? std::optional(metered) : std::nullopt),
               keys.estimated_joules(sampler_ ? std::optional(estimated) : std::nullopt),
               keys.sampled_joules(sampler_ ? std::optional(truth) : std::nullopt), keys.samples(samples),
               keys.missed_samples(missed)});
  for (std::size_t s = 0; s < shares; ++s) {
    double all = 0;
    for (std::size_t n = 0; n < recording_->nodes(); ++n)
      all += recording_->power(n).computer().joules(static_cast<Share>(s));
    results.set(keys.by_part[s], all);
  }
  results.set({keys.computing_w(computing_w), keys.longest_call(call), keys.longest_call_w(call_w), std::move(phases),
               std::move(computers)});
}

void HdtraceMonitor::report_clocks(Results& results) const {
  const auto& keys = hdtrace_keys.clocks;
  ResultRecords nodes(keys.nodes.list);
  for (std::size_t n = 0; probes_ && n < recording_->nodes(); ++n) {
    const auto time_of = [](const auto& found, auto time) {
      return found ? std::optional((*found).*time) : std::nullopt;
    };
    nodes.add({keys.nodes.node(n), keys.nodes.before_us(time_of(probes_->before(n), &ClockOffset::offset)),
               keys.nodes.before_round_trip_us(time_of(probes_->before(n), &ClockOffset::round_trip)),
               keys.nodes.after_us(time_of(probes_->after(n), &ClockOffset::offset)),
               keys.nodes.after_round_trip_us(time_of(probes_->after(n), &ClockOffset::round_trip)),
               keys.nodes.shift_us(recording_->trace_ledger().shift(n))});
  }
  const TraceLedger& trace_ledger = recording_->trace_ledger();
  results.set({keys.pairs(trace_ledger.pairs()), keys.violations_as_written(trace_ledger.violations_as_written()),
               std::move(nodes)});
}

void HdtraceMonitor::report(Results& results, Time, Time) const {
  const TraceLedger& trace_ledger = recording_->trace_ledger();
  const Ledger ledger = trace_ledger.ledger();
  results.set(reported_keys.logged_bytes, ledger.delivered.units);
  results.set(ledger_values(ledger));
  std::uint64_t states = 0;
  for (const auto& process : processes_->all())
    if (process) states += process->states;
  results.set({hdtrace_keys.project("hdtrace/" + recording_->project() + ".proj"), hdtrace_keys.states(states),
               hdtrace_keys.cpu_s(recording_->cpu()), hdtrace_keys.flushes(recording_->flushes()),
               hdtrace_keys.flushing_s(recording_->flushing())});
  report_clocks(results);
  report_power(results);
  results.set({layer_records(), process_records()});
  results.set(reported_keys.latency_us.group.null()); // the traces stay on the nodes
  if (ledger.delivered.events > 0)
    results.set(values_of(reported_keys.timestamp_error_us, trace_ledger.error()));
  else
    results.set(reported_keys.timestamp_error_us.group.null()); // all records were lost
  results.set(reported_keys.causality_violations, trace_ledger.violations());
}

} // namespace hypermon::hdtrace
