// What counting costs the program.
#pragma once
namespace hypermon {

/// Calls of hypermon.h, if the monitor reads what they count.
struct CountersParams {
  double update_us = 0;
  double timer_us = 0;
};

} // namespace hypermon
