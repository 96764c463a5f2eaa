// SPDX-License-Identifier: BSD-3-Clause
// What the capture hardware says in a result, whoever judges what arrived.
#pragma once
#include "base/json_value.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "sw/monitors/hypermon/frame_file.hpp"
#include "sw/monitors/hypermon/frame_rate.hpp"

#include <span>
#include <string>

namespace hypermon {

/// What a board's frame file says about it.
FrameFileInfo frame_file_info(const Spec& spec, std::size_t board, NodeId first_node);

/// The first keys of the section "monitor": frames to end_s.
Json counts_to_json(const Counts& counts);
/// Of all boards' drain programs; `reduction`: drain.reduction.
Json drain_to_json(const CaptureChain& chain, Reduction reduction);
Json contention_to_json(const CaptureChain::Contention& contention);
/// Frames over the time from `begin` to `end`, of all boards.
Json rates_to_json(std::span<const FrameRate* const> boards, Time begin, Time end);

} // namespace hypermon
