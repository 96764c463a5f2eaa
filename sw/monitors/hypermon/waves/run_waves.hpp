// SPDX-License-Identifier: BSD-3-Clause
// Waves of a run: the request that Python makes, and the answer.
#pragma once
#include "base/json_value.hpp"
#include "sw/monitors/hypermon/waves/wave_capture.hpp"

namespace hypermon {

/// The request has the form {"wanted": [signal by signal], "trigger": null or one of {}, {"cause"}, {"above"},
/// {"difference"} and {"event": [node, name]}}. With a trigger it also has {"pre_ps", "post_ps"}, otherwise {"from_ps",
/// "to_ps"}. The waves go to `path`. Waves of the run's modules (ModuleWaves) have {"only": [globs], "board_object",
/// "most_kept", "most_written"} instead of "wanted". Throws UserError.
WaveRequest wave_request(const Json& json, const Spec& spec, std::string path);

/// {"from_ps", "to_ps", "marker_ps", "board", "transitions"}; null if the trigger never happened.
Json waves_written(const WaveCapture& capture);

} // namespace hypermon
