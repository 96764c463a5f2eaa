// SPDX-License-Identifier: BSD-3-Clause
// What counting costs the program.
#pragma once
#include "base/quantity.hpp"

namespace hypermon {

/// Calls of hypermon.h, if the monitor reads what they count.
struct CountersParams {
  Microseconds update_us = 0;
  Microseconds timer_us = 0;
};

} // namespace hypermon
