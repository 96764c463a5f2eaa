// SPDX-License-Identifier: BSD-3-Clause
// What the capture hardware says in a result, whoever judges what arrived.
#pragma once
#include "base/results.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "sw/monitors/hypermon/frame_file.hpp"
#include "sw/monitors/hypermon/frame_rate.hpp"

#include <span>
#include <string>

namespace hypermon {

/// What a board's frame file says about it.
FrameFileInfo frame_file_info(const Spec& spec, std::size_t board, NodeId first_node);

/// The first keys of the section "monitor": frames to end_s.
ResultValues values_of(const Counts& counts);
/// Of all boards' drain programs; `reduction`: drain.reduction.
ResultValues drain_values(const CaptureChain& chain, Reduction reduction);
ResultValues values_of(const CaptureChain::Contention& contention);
/// Frames over the time from `begin` to `end`, of all boards.
ResultValues rate_values(std::span<const FrameRate* const> boards, Time begin, Time end);

} // namespace hypermon
