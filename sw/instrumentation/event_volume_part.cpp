// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "sw/instrumentation/event_volume.hpp"

namespace hypermon {

Part event_volume_part() {
  return {.sections = {section<BurstsParams>("bursts", "Event data volume in intervals of 1 ms.")},
          .results = {{"bursts.interval_ms", "ms", "Interval in which event data are added up (Figure 14)."},
                      {"bursts.bytes", "B", "The nodes' event data as software records, under every monitor."},
                      {"bursts.mean_bytes_per_s", "B/s", "Over the measured section."},
                      {"bursts.max_1ms_bytes_per_s", "B/s", "In the fullest interval."},
                      {"bursts.max_20ms_bytes_per_s", "B/s", "In the fullest 20 intervals that follow each other."}}};
}

} // namespace hypermon
