// SPDX-License-Identifier: BSD-3-Clause
// Phases of the monitor with different counters: the paper's zooming in, as scheduled in the scenario.
#pragma once
#include "base/time.hpp"
#include "sw/monitors/hpvm/params.hpp"

#include <string>
#include <vector>

namespace hypermon::hpvm {

/// Times are those of the monitor's clock.
struct Phase {
  Time begin;
  Time interval;
  std::string counters; ///< words as in hpvm.counters
  std::string path;     ///< the parameter that defines the phase
};

/// hpvm.counters at hpvm.interval_s, then the phases of hpvm.schedule. Throws UserError if the schedule is invalid.
std::vector<Phase> phases_of(const HpvmParams& params);

/// Index of the phase that makes the sweep at `date`.
std::size_t phase_at(const std::vector<Phase>& phases, Time date);
/// Time of the first sweep after `date`. Sweeps are at whole intervals from a phase's begin. The first phase begins at
/// 0 and also covers all earlier times.
Time sweep_after(const std::vector<Phase>& phases, Time date);

} // namespace hypermon::hpvm
