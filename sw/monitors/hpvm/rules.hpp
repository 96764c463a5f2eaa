// SPDX-License-Identifier: BSD-3-Clause
// The paper's zooming in, as the monitor decides it itself: what is read of a node while what has arrived from it
// fulfils a condition.
#pragma once
#include "base/time.hpp"
#include "sw/monitors/hpvm/objects.hpp"
#include "sw/monitors/hpvm/params.hpp"

#include <string>
#include <vector>

namespace hypermon::hpvm {

struct Rule {
  std::string text;     ///< as the user has written it
  Named counter;        ///< of the condition
  bool below;           ///< it is to be less than the threshold; else more
  double threshold;     ///< of the value, of its growth by second, or, of times, of its share of time
  Time interval;        ///< of what is read while it is
  std::string counters; ///< words as of hpvm.counters
};

/// Those of hpvm.rules. Throws UserError if one is none, or if its counter is not read by hpvm.counters and every phase
/// of hpvm.schedule.
std::vector<Rule> rules_of(const HpvmParams& params);

} // namespace hypermon::hpvm
