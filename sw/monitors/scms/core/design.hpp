// SPDX-License-Identifier: BSD-3-Clause
// How a run's agents work together: what all of them know.
#pragma once
#include "sw/monitors/scms/core/costs.hpp"
#include "sw/monitors/scms/core/tree.hpp"

#include <optional>
#include <vector>

namespace hypermon::scms {

/// Resources that CMAs read together, at whole periods of the run.
struct Group {
  Time period;
  ResourceVector resources;
};

enum class Scope : std::uint8_t { partition, whole };
enum class Collect : std::uint8_t { push, pull };

struct Design {
  Tree tree;
  Costs costs;
  std::vector<Group> groups{};
  Collect collect = Collect::push;
  Scope scope = Scope::partition;
  bool pipelining = true;     ///< an SMA has many requests under way below it; else one after the other
  bool merge_requests = true; ///< who asks for what an SMA is already asking for waits with the first
  bool merge_replies = true;  ///< an SMA answers, and pushes on, when all its children have; else each as it comes
  std::optional<std::int64_t> filter{}; ///< values that changed by no more are not pushed again
  double spread = 0;       ///< the share of a period over which the nodes' rounds are spread, by their number
  Time pull_offset{};      ///< an SMA pulls so much later than the round's date, times its height
  Time wait{};             ///< an SMA waits for a round's missing children so long, times its height
  Time heartbeat{};        ///< 0: none
  std::int64_t missed = 3; ///< heartbeats without a word, and the other is dead
  Time timeout{};          ///< of an answer, times the SMA's height; 0: never
};

} // namespace hypermon::scms
