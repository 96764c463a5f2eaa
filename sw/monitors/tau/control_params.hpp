// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the client that holds an overhead, over the monhole's reverse channel.
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
            "That a client holds: of the time without timers and dumps, at most so much for both. It changes how often "
            "processes dump, and which routines they measure. 0: nobody does.",
            "TAU over Supermon sec. 6: measurement control over reverse channels; how is chosen"},
      Field{"client", &P::client, range(0, 63999), "", "Which of Supermon's clients does, by its number.", "chosen"},
      Field{"interval_s", &P::interval_s, range(1e-6, 1e6),
            "Between two decisions: so much of each process's time it looks at, on the average, and at 8 dumps at "
            "least.",
            "chosen"},
      Field{"most_every", &P::most_every, range(1, 1'000'000), "",
            "Dump points from one dump to the next, at most: who dumps more seldom cannot be held.", "chosen"},
      Field{"routines", &P::routines, any_value(), "",
            "It may switch off routines, the most often called first; else it only changes how often processes dump.",
            "chosen: TAU's own selective instrumentation, while the program runs"},
      Field{"command_us", &P::command_us, range(0, 1e6),
            "CPU time of a process for each command that it obeys: it is interrupted, reads and parses it.", "chosen"});
}
static_assert(all_members_described<TauControlParams>());

} // namespace hypermon
