// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the volume of event data.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct BurstKeys {
  ResultKey<double> interval_ms{"bursts.interval_ms", "ms",
                                "Length of the intervals over which event data are summed (Figure 14)."};
  ResultKey<int> bytes{
      "bursts.bytes", "B",
      "Size of all nodes' event data in the software monitor's record format, whichever monitor runs."};
  ResultKey<double> mean_bytes_per_s{"bursts.mean_bytes_per_s", "B/s",
                                     "Mean rate of event data over the measured section."};
  ResultKey<double> max_1ms_bytes_per_s{"bursts.max_1ms_bytes_per_s", "B/s",
                                        "Rate of event data in the interval that has most of them."};
  ResultKey<double> max_20ms_bytes_per_s{
      "bursts.max_20ms_bytes_per_s", "B/s",
      "Mean rate of event data in the 20 consecutive intervals that have most of them."};
};
inline constexpr BurstKeys burst_keys{};

} // namespace hypermon
