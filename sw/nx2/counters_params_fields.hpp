// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in counters_params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/nx2/counters_params.hpp"

namespace hypermon {

constexpr auto fields_of(const CountersParams*) {
  return fields(Field{"update_us", &CountersParams::update_us, range(0, 1e6),
                      "CPU time of hypermon_counter_set or _add, if the monitor reads the program's own counters.",
                      "chosen: of a counter in memory nothing that one would see"},
                Field{"timer_us", &CountersParams::timer_us, range(0, 1e6),
                      "CPU time of hypermon_timer_start or _stop, if the monitor reads routines' timers.", "chosen"});
}
static_assert(all_members_described<CountersParams>());

} // namespace hypermon
