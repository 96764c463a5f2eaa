// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/power_book.hpp"

#include <algorithm>

namespace hypermon::hdtrace {

Watts watts_of(const PowerParams& p) {
  return {.base = p.base_w + p.memory_w,
          .idle = p.idle_w,
          .computing = p.computing_w,
          .waiting = p.waiting_w,
          .nic_idle = p.nic_idle_w,
          .nic = p.nic_w,
          .disk_idle = p.disk_idle_w,
          .disk = p.disk_w,
          .supply = p.supply};
}

Metered::Metered(const PowerParams& params, std::int64_t processors, std::unique_ptr<StatisticsFile> energy)
    : computer_(watts_of(params), processors), energy_(std::move(energy)), voltage_(params.voltage_v) {
  if (const Time period = params.meter_ms; period > Time{}) {
    meter_ = std::make_unique<Meter>(period, params.resolution_w);
    // The meter is a separate computer with an exact clock (chosen).
    every(period, [this](Time end, const Computer& computer) {
      const double watts = meter_->read(computer);
      if (energy_) energy_->add(end, {voltage_, watts / voltage_, watts});
    });
  }
}

void Metered::every(Time period, std::function<void(Time, const Computer&)> look) {
  periodic_.push_back({period, period, std::move(look)});
}

Computer& Metered::at(Time now) {
  for (;;) {
    const auto first = std::ranges::min_element(periodic_, {}, &Periodic::next);
    if (first == periodic_.end() || first->next > now) break;
    computer_.pass(first->next);
    first->look(first->next, computer_);
    first->next += first->period;
  }
  computer_.pass(now);
  return computer_;
}

void Phases::account(Node& node, Metered& power, Time now) {
  const double joules = power.at(now).joules();
  const auto add = [&](const std::string& phase) {
    phases_[phase].time += now - node.since;
    phases_[phase].joules += joules - node.joules;
  };
  if (now > node.since) {
    for (const auto& [function, processes] : node.in)
      if (processes > 0) add(function);
    if (std::ranges::none_of(node.in, [](const auto& in) { return in.second > 0; }))
      add(node.alive > 0 ? "computing" : "idle");
  }
  node.since = now;
  node.joules = joules;
}

void Phases::enter(std::size_t node, const std::string& function, Metered& power, Time now) {
  account(nodes_[node], power, now);
  ++nodes_[node].in[function];
}

void Phases::leave(std::size_t node, const std::string& function, Metered& power, Time now) {
  account(nodes_[node], power, now);
  --nodes_[node].in[function];
}

void Phases::alive(std::size_t node, int by, Metered& power, Time now) {
  account(nodes_[node], power, now);
  nodes_[node].alive += by;
}

} // namespace hypermon::hdtrace
