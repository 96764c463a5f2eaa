// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the volume of event data.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct BurstKeys {
  ResultKey<double> interval_ms{"bursts.interval_ms", "ms", "Interval in which event data are added up (Figure 14)."};
  ResultKey<int> bytes{"bursts.bytes", "B", "The nodes' event data as software records, under every monitor."};
  ResultKey<double> mean_bytes_per_s{"bursts.mean_bytes_per_s", "B/s", "Over the measured section."};
  ResultKey<double> max_1ms_bytes_per_s{"bursts.max_1ms_bytes_per_s", "B/s", "In the fullest interval."};
  ResultKey<double> max_20ms_bytes_per_s{"bursts.max_20ms_bytes_per_s", "B/s",
                                         "In the fullest 20 intervals that follow each other."};
};
inline constexpr BurstKeys burst_keys{};

} // namespace hypermon
