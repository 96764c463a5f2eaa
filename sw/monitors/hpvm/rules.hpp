// SPDX-License-Identifier: BSD-3-Clause
// The paper's zooming in as an automatic decision of the monitor: additional counters that it reads from a node as long
// as samples from that node meet a condition.
#pragma once
#include "base/time.hpp"
#include "sw/monitors/hpvm/objects.hpp"
#include "sw/monitors/hpvm/params.hpp"

#include <string>
#include <vector>

namespace hypermon::hpvm {

struct Rule {
  std::string text;     ///< the rule as the user wrote it
  Named counter;        ///< counter of the condition
  bool below;           ///< true if the condition holds for values below the threshold; otherwise it holds above
  double threshold;     ///< limit of the value, of its growth per second or, for times, of its share of time
  Time interval;        ///< interval of the additional sweeps
  std::string counters; ///< words as in hpvm.counters
};

/// Parses hpvm.rules. Throws UserError if a rule is invalid, or if its counter is missing in hpvm.counters or in a
/// phase of hpvm.schedule.
std::vector<Rule> rules_of(const HpvmParams& params);

} // namespace hypermon::hpvm
