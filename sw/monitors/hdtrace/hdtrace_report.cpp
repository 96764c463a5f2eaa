// SPDX-License-Identifier: BSD-3-Clause
// What a run's result says of HDTrace.
#include "sw/monitors/hdtrace/hdtrace.hpp"
#include "sw/monitors/report.hpp"

#include <cmath>

namespace hypermon::hdtrace {
namespace {

Json of_computer(const std::string& name, const Metered& metered, Time end) {
  const Computer& computer = metered.computer();
  Json json = {{"computer", name},
               {"joules", computer.joules()},
               {"mean_w", end > Time{} ? computer.joules() / end.seconds() : 0.0}};
  const Meter* const meter = metered.meter();
  json["metered_joules"] = meter != nullptr ? Json(meter->joules()) : Json();
  json["readings"] = meter != nullptr ? meter->readings() : 0;
  return json;
}

} // namespace

Json HdtraceMonitor::processes_report() const {
  Json json = Json::array();
  for (const auto& process : processes_->all())
    if (process)
      json.push_back({{"rank", process->rank},
                      {"node", process->node},
                      {"states", process->states},
                      {"relations", process->tokens},
                      {"trace_bytes", process->trace.output().bytes()},
                      {"relation_bytes", process->relations.output().bytes()},
                      {"info_bytes", process->info.bytes()}});
  return json;
}

Json HdtraceMonitor::layers_report() const {
  Json json = Json::array();
  for (const Layers::Summary& layer : layers_->summaries()) {
    std::string name;
    for (const std::string& part : layer.path) name += (name.empty() ? "" : "/") + part;
    json.push_back({{"layer", name},
                    {"operations", layer.operations},
                    {"unfinished", layer.unfinished},
                    {"unrelated", layer.unrelated},
                    {"most_pending", layer.most_pending},
                    {"time_s", layer.time.seconds()}});
  }
  return json;
}

Json HdtraceMonitor::power_report() const {
  Json computers = Json::array();
  Json by_share = Json::object();
  double joules = 0;
  double metered = 0;
  double estimated = 0;
  double truth = 0;
  std::uint64_t samples = 0;
  std::uint64_t missed = 0;
  for (std::size_t n = 0; n < recording_->nodes(); ++n) {
    const Metered& power = recording_->power(n);
    Json one = of_computer(recording_->host(n), power, end_);
    one["estimated_joules"] = nullptr;
    one["sampled_joules"] = nullptr;
    if (sampler_) {
      const Sampler::Summary& sampled = sampler_->of(n);
      one["estimated_joules"] = sampled.estimated;
      one["sampled_joules"] = sampled.truth;
      estimated += sampled.estimated;
      truth += sampled.truth;
      samples += sampled.samples;
      missed += sampled.missed;
    }
    computers.push_back(std::move(one));
    joules += power.computer().joules();
    if (power.meter() != nullptr) metered += power.meter()->joules();
  }
  for (std::size_t s = 0; s < shares; ++s) {
    double all = 0;
    for (std::size_t n = 0; n < recording_->nodes(); ++n)
      all += recording_->power(n).computer().joules(static_cast<Share>(s));
    by_share[share_names[s]] = all;
  }
  Json phases = Json::array();
  Json computing_w;
  Json call;
  Json call_w;
  Time longest;
  for (const auto& [name, phase] : recording_->phases().all())
    if (phase.time > Time{}) {
      const double watts = phase.joules / phase.time.seconds();
      phases.push_back(
          {{"phase", name}, {"time_s", phase.time.seconds()}, {"joules", phase.joules}, {"mean_w", watts}});
      if (name == "computing") computing_w = watts;
      if (name.starts_with("MPI_") && phase.time > longest) {
        longest = phase.time;
        call = name;
        call_w = watts;
      }
    }
  double servers = 0;
  for (const Metered* server : layers_->server_power()) servers += server->computer().joules();
  return {{"joules", joules},
          {"server_joules", servers},
          {"metered_joules", Time(recording_->power_params().meter_ms) > Time{} ? Json(metered) : Json()},
          {"estimated_joules", sampler_ ? Json(estimated) : Json()},
          {"sampled_joules", sampler_ ? Json(truth) : Json()},
          {"samples", samples},
          {"missed_samples", missed},
          {"by_part", std::move(by_share)},
          {"computing_w", std::move(computing_w)},
          {"longest_call", std::move(call)},
          {"longest_call_w", std::move(call_w)},
          {"phases", std::move(phases)},
          {"computers", std::move(computers)}};
}

Json HdtraceMonitor::clocks_report() const {
  Json nodes = Json::array();
  for (std::size_t n = 0; probes_ && n < recording_->nodes(); ++n) {
    const auto offset = [](const auto& found) { return found ? Json(found->offset.microseconds()) : Json(); };
    const auto trip = [](const auto& found) { return found ? Json(found->round_trip.microseconds()) : Json(); };
    nodes.push_back({{"node", n},
                     {"before_us", offset(probes_->before(n))},
                     {"before_round_trip_us", trip(probes_->before(n))},
                     {"after_us", offset(probes_->after(n))},
                     {"after_round_trip_us", trip(probes_->after(n))},
                     {"shift_us", recording_->books().shift(n).microseconds()}});
  }
  const Books& books = recording_->books();
  return {
      {"pairs", books.pairs()}, {"violations_as_written", books.violations_as_written()}, {"nodes", std::move(nodes)}};
}

void HdtraceMonitor::report(Json& result, Time, Time) const {
  const Books& books = recording_->books();
  const Ledger ledger = books.ledger();
  result["logged_bytes"] = ledger.delivered.units;
  result["ledger"] = to_json(ledger);
  std::uint64_t states = 0;
  for (const auto& process : processes_->all())
    if (process) states += process->states;
  result["monitor"] = {{"project", "hdtrace/" + recording_->project() + ".proj"},
                       {"states", states},
                       {"cpu_s", recording_->cpu().seconds()},
                       {"flushes", recording_->flushes()},
                       {"flushing_s", recording_->flushing().seconds()},
                       {"clocks", clocks_report()},
                       {"power", power_report()},
                       {"layers", layers_report()},
                       {"processes", processes_report()}};
  result["latency_us"] = nullptr; // the traces stay on the nodes
  // Of what is written; nothing, if all was lost.
  result["timestamp_error_us"] = ledger.delivered.events > 0 ? to_json(books.error()) : Json();
  result["causality_violations"] = books.violations();
}

} // namespace hypermon::hdtrace
