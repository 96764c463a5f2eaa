// SPDX-License-Identifier: BSD-3-Clause
// What the monitor asks for when: the paper's zooming in, as the scenario says it beforehand.
#pragma once
#include "base/time.hpp"
#include "sw/monitors/hpvm/params.hpp"

#include <string>
#include <vector>

namespace hypermon::hpvm {

struct Phase {
  Time begin;
  Time interval;
  std::string counters; ///< words as of hpvm.counters
  std::string path;     ///< the parameter that says so
};

/// hpvm.counters at hpvm.interval_s, then those of hpvm.schedule. Throws UserError if that is none.
std::vector<Phase> phases_of(const HpvmParams& params);

/// Among the phases the one whose sweeps have that date.
std::size_t phase_at(const std::vector<Phase>& phases, Time date);
/// The date of the first sweep after `date`: whole intervals from a phase's begin, where the first phase has none.
Time sweep_after(const std::vector<Phase>& phases, Time date);

} // namespace hypermon::hpvm
