// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the client that controls the overhead over the monhole's reverse channel.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

struct TauControlParams {
  double overhead_percent = 0;
  std::int64_t client = 0;
  Seconds interval_s = 10;
  std::int64_t most_every = 1000;
  bool routines = true;
  Microseconds command_us = 20;
};

constexpr auto fields_of(const TauControlParams*) {
  using P = TauControlParams;
  return fields(
      Field{"overhead_percent", &P::overhead_percent, range(0, 1000), "%",
            "Limit of the overhead of timers and dumps, in % of the run time without them, that a client enforces. It "
            "changes how often processes dump and which routines they measure. 0: no control.",
            "TAU over Supermon sec. 6: measurement control over reverse channels; how is chosen"},
      Field{"client", &P::client, range(0, 63999), "", "Number of the Supermon client that controls the overhead.",
            "chosen"},
      Field{"interval_s", &P::interval_s, range(1e-6, 1e6),
            "Time that a control decision considers, averaged over the processes. It covers at least 8 dumps.",
            "chosen"},
      Field{"most_every", &P::most_every, range(1, 1'000'000), "",
            "Largest number of dump points from one dump to the next that the control may set. If that is not enough, "
            "dumping exceeds the limit of the overhead.",
            "chosen"},
      Field{"routines", &P::routines, any_value(), "",
            "Let the control switch off routines, the most frequently called first. Otherwise it only changes how "
            "often processes dump.",
            "chosen: TAU's own selective instrumentation, while the program runs"},
      Field{"command_us", &P::command_us, range(0, 1e6),
            "CPU time of a process for each command of the control: an interrupt, reading and parsing.", "chosen"});
}
static_assert(all_members_described<TauControlParams>());

} // namespace hypermon
