// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the trace funnel as a monitor, beside its hardware's (hw/funnel/core/params.hpp).
#pragma once
#include "base/quantity.hpp"
#include "base/several.hpp"
#include "hw/funnel/core/params.hpp"

#include <cstdint>

namespace hypermon {

/// What a node's program stores its events to.
struct StimulusParams {
  Nanoseconds store_ns = 50;
  std::int64_t store_bytes = 4;
};

struct ChipParams {
  std::int64_t sources = 8;
};

using TraceSourceSection = Several<TraceSourceParams>;

} // namespace hypermon
