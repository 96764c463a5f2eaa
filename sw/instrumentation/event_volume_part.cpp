// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "sw/instrumentation/event_volume.hpp"
#include "sw/instrumentation/event_volume_keys.hpp"

namespace hypermon {

Part event_volume_part() {
  return {.sections = {section<BurstsParams>("bursts", "Event data volume in intervals of 1 ms.")},
          .results = keys_of(burst_keys)};
}

} // namespace hypermon
