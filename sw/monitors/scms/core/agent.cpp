// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/agent.hpp"
#include "sw/monitors/scms/core/cma.hpp"
#include "sw/monitors/scms/core/sma.hpp"

#include <algorithm>

namespace hypermon::scms {

AgentCounts& AgentCounts::operator+=(const AgentCounts& more) {
  values_read += more.values_read;
  values_filtered += more.values_filtered;
  rounds_skipped += more.rounds_skipped;
  rounds_incomplete += more.rounds_incomplete;
  requests += more.requests;
  cached_answers += more.cached_answers;
  asked_nodes += more.asked_nodes;
  joined_nodes += more.joined_nodes;
  timeouts += more.timeouts;
  late_answers += more.late_answers;
  if (more.first_skip) first_skip = std::min(first_skip.value_or(Time::never()), *more.first_skip);
  return *this;
}

std::unique_ptr<Agent> make_agent(const Design& design, Peer self, Surroundings& around, const NodeClock& clock,
                                  std::uint32_t incarnation) {
  if (design.tree.is_cma(self)) return std::make_unique<Cma>(design, self, around, clock, incarnation);
  return std::make_unique<Sma>(design, self, around, clock, incarnation);
}

} // namespace hypermon::scms
