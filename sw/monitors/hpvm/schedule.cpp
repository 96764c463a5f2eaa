// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/schedule.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <sstream>

namespace hypermon::hpvm {

std::vector<Phase> phases_of(const HpvmParams& params) {
  std::vector<Phase> phases{{{}, params.interval_s, params.counters, "hpvm.counters"}};
  std::istringstream parts(params.schedule);
  for (std::string part; std::getline(parts, part, ';');) {
    const auto refuse = [&](const std::string& why) { throw UserError("hpvm.schedule = " + part + ": " + why); };
    std::istringstream words(part);
    double begin = 0;
    double interval = 0;
    std::string counters;
    if (!(words >> begin >> interval) || !std::getline(words, counters))
      refuse("must be like 30 0.2 host mpi_collectives: from when on in s, the interval in s, what is read; several "
             "with ; between");
    if (!(interval >= 1e-6 && interval <= 1e6)) refuse("the interval must be from 1e-6 to 1000000 s");
    const Time date = Time::from_seconds_rounded(begin);
    if (!(begin <= 1e6) || date <= phases.back().begin) refuse("must begin later than what is before it");
    phases.push_back({date, Time::from_seconds_rounded(interval), counters, "hpvm.schedule"});
  }
  return phases;
}

std::size_t phase_at(const std::vector<Phase>& phases, Time date) {
  std::size_t phase = 0;
  while (phase + 1 < phases.size() && phases[phase + 1].begin <= date) ++phase;
  return phase;
}

Time sweep_after(const std::vector<Phase>& phases, Time date) {
  const std::size_t phase = phase_at(phases, date);
  const Phase& now = phases[phase];
  std::int64_t passed = (date - now.begin) / now.interval;
  if (date < now.begin + passed * now.interval) --passed; // the clock is below the first phase's begin
  const Time next = now.begin + (passed + 1) * now.interval;
  return phase + 1 < phases.size() ? std::min(next, phases[phase + 1].begin) : next;
}

} // namespace hypermon::hpvm
