// Parameters of the software monitor.
#pragma once
#include <cstdint>

namespace hypermon {

/// The software monitor: a buffer in each node's memory.
struct SoftwareParams {
  double us_per_byte = 3.05;
  std::int64_t buffer_bytes = 4 << 20;
};

} // namespace hypermon
