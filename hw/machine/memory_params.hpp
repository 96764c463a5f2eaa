// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the nodes' memory.
#pragma once
#include "base/quantity.hpp"

namespace hypermon {

struct MemoryParams {
  Megabytes node_mb = 0;
  Bytes page_bytes = 4096;
  double sweep_mb_per_s = 10;
  Milliseconds read_ms = 10;
  Microseconds touch_us = 2;
  Milliseconds stretch_ms = 10;
};

} // namespace hypermon
