// SPDX-License-Identifier: BSD-3-Clause
// Time that counting costs the program.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

namespace hypermon {

/// Cost of calls of hypermon.h, if the monitor reads the counters that they change.
struct CountersParams {
  Microseconds update_us = 0;
  Microseconds timer_us = 0;
};

constexpr auto fields_of(const CountersParams*) {
  return fields(Field{"update_us", &CountersParams::update_us, range(0, 1e6),
                      "CPU time of one hypermon_counter_set or hypermon_counter_add call. It applies if the monitor "
                      "reads the program's own counters.",
                      "chosen: too little to be measured for a counter in memory"},
                Field{"timer_us", &CountersParams::timer_us, range(0, 1e6),
                      "CPU time of one hypermon_timer_start or hypermon_timer_stop call. It applies if the monitor "
                      "reads timers of routines.",
                      "chosen"});
}
static_assert(all_members_described<CountersParams>());

} // namespace hypermon
