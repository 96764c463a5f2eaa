// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the buffer behind mon's monhole.
#pragma once
#include "base/quantity.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"

#include <cstdint>

namespace hypermon {

struct MonholeParams {
  supermon::BufferPolicy policy = supermon::BufferPolicy::replace_read;
  std::int64_t entries = 0;
  Megabytes memory_mb = 64;
};

} // namespace hypermon
