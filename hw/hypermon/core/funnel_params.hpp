// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the plain funnel. Defaults are those of the HYPERMON prototype, where it has the part.
#pragma once
#include "base/fifo.hpp"
#include "base/quantity.hpp"
#include "hw/core/arbiter.hpp"

#include <cstdint>

namespace hypermon {

struct FunnelParams {
  std::int64_t sources = 16;
  std::int64_t source_fifo_entries = 64;
  WhenFull source_full = WhenFull::drop_newest;
  Arbitration arbiter = Arbitration::round_robin;
  std::int64_t arbiter_cycles = 1;
  std::int64_t fifo_words = 3276;
  WhenFull fifo_full = WhenFull::drop_newest;
  WholeNanoseconds timestamp_ns = 800;
  std::int64_t timestamp_bits = 32;
  std::int64_t id_bits = 4;
  bool packed = false;
};

} // namespace hypermon
