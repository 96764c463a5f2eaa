// SPDX-License-Identifier: BSD-3-Clause
// Workload idle: no program. What monitors of a whole system do when nothing is asked of it.
#pragma once
#include "base/quantity.hpp"

namespace hypermon {

struct IdleParams {
  Seconds duration_s = 1;
};

} // namespace hypermon
