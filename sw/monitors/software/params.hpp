// Parameters of the software monitor.
#pragma once
#include "hw/core/quantity.hpp"

namespace hypermon {

/// The software monitor: a buffer in each node's memory.
struct SoftwareParams {
  double us_per_byte = 3.05;
  Bytes buffer_bytes = 4 << 20;
};

} // namespace hypermon
