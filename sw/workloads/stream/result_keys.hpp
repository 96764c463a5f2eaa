// SPDX-License-Identifier: BSD-3-Clause
// Result keys of events from a file. The command writes them (python/hypermon/_engine/streams/run.py).
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct StreamKeys {
  ResultKey<int> rows{"stream.rows", "", "workload stream: rows of the file."};
  ResultKey<int> without_data{"stream.without_data", "events",
                              "Of them without data: nothing is written, they are left out."};
  ResultKey<std::string> contents{"stream.contents", "", "Where what the events hold comes from."};
  ResultKey<double> begin{"stream.begin", "stream.time_unit", "Time in the file that became 0."};
  ResultKey<int> rounded_times{"stream.rounded_times", "events", "Whose times are no whole picoseconds: rounded."};
  ResultKey<int> reordered{"stream.reordered", "", "Rows that are earlier than the row before: sorted by time."};
  ResultKey<int> padded{"stream.padded", "events", "That do not fill their last datum: padded with 0."};
  ResultKey<int> delayed{"stream.delayed", "events", "That waited for their node's port, which was still writing."};
  ResultKey<double> max_delay_us{"stream.max_delay_us", "us", "The longest such wait."};
  ResultKey<std::string> ignored_columns{"stream.ignored_columns", "", "Columns of the file that say nothing here."};
};
inline constexpr StreamKeys stream_keys{};

} // namespace hypermon
