// SPDX-License-Identifier: BSD-3-Clause
// Results about the capture hardware, independent of the program that decodes or judges the data.
#pragma once
#include "base/results.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "sw/monitors/hypermon/frame_file.hpp"
#include "sw/monitors/hypermon/frame_rate.hpp"

#include <span>
#include <string>

namespace hypermon {

/// Header of a board's frame file.
FrameFileInfo frame_file_info(const Spec& spec, std::size_t board, NodeId first_node);

/// The first keys of the section "monitor": frames to end_s.
ResultValues values_of(const Counts& counts);
/// Values for the drain programs of all boards. `reduction`: drain.reduction.
ResultValues drain_values(const CaptureChain& chain, Reduction reduction);
ResultValues values_of(const CaptureChain::Contention& contention);
/// Adds the effect of an ERB that is not ideal on the data. Adds nothing for an ideal one.
void add_erb(const ErbParams& erb, const FaultCounts& faults, Results& results);
void add_own_boards(const CaptureChain& chain, Results& results);
/// Rate of all boards' frames over the time from `begin` to `end`.
ResultValues rate_values(std::span<const FrameRate* const> boards, Time begin, Time end);

} // namespace hypermon
