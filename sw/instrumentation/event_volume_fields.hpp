// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in event_volume.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/instrumentation/event_volume.hpp"

namespace hypermon {

constexpr auto fields_of(const BurstsParams*) {
  return fields(Field{"keep_series", &BurstsParams::keep_series, any_value(), "",
                      "Also write every interval that has event data to bursts.csv in the run directory.",
                      "chosen; HYPERMON fig. 14 shows such a series"});
}
static_assert(all_members_described<BurstsParams>());

} // namespace hypermon
