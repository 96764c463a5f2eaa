// SPDX-License-Identifier: BSD-3-Clause
// Result keys of events from a file. The command writes them (python/hypermon/_engine/streams/run.py).
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct StreamKeys {
  ResultKey<int> rows{"stream.rows", "", "Number of rows in the event file."};
  ResultKey<int> without_data{"stream.without_data", "events", "Number of events without data, which are left out."};
  ResultKey<std::string> contents{"stream.contents", "", "Source of the events' contents."};
  ResultKey<double> begin{"stream.begin", "stream.time_unit", "Time in the event file that became 0."};
  ResultKey<int> rounded_times{"stream.rounded_times", "events",
                               "Number of events with times rounded to whole picoseconds."};
  ResultKey<int> reordered{"stream.reordered", "",
                           "Number of rows that are earlier than the row before; the rows were sorted by time."};
  ResultKey<int> padded{"stream.padded", "events",
                        "Number of events that do not fill their last datum and were padded with 0."};
  ResultKey<int> delayed{"stream.delayed", "events",
                         "Number of events that waited until their node had written the previous one."};
  ResultKey<double> max_delay_us{"stream.max_delay_us", "us", "Longest time that an event waited for its node's port."};
  ResultKey<std::string> ignored_columns{"stream.ignored_columns", "",
                                         "Columns of the event file that a stream does not use."};
};
inline constexpr StreamKeys stream_keys{};

} // namespace hypermon
