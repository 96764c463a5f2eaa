// SPDX-License-Identifier: BSD-3-Clause
// Settings that all agents of a run share.
#pragma once
#include "sw/monitors/scms/core/costs.hpp"
#include "sw/monitors/scms/core/tree.hpp"

#include <optional>
#include <vector>

namespace hypermon::scms {

/// Resources that CMAs read together, at multiples of their period.
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
  bool pipelining = true;     ///< an SMA has many requests under way below it; otherwise one at a time
  bool merge_requests = true; ///< a request for data that an SMA is already requesting waits for that answer
  bool merge_replies = true;  ///< an SMA answers and pushes when all its children have; otherwise separately for each
  std::int64_t part = 0;      ///< bytes of values with which a part of a merged answer leaves; 0: it leaves whole
  std::optional<std::int64_t> filter{}; ///< values that changed by at most this amount are not pushed again
  double spread = 0;                    ///< share of a period over which the nodes' rounds are spread, by node number
  Time pull_offset{};                   ///< delay of an SMA's pull after the round's time, times its height
  Time wait{};                          ///< longest wait of an SMA for a round's missing children, times its height
  Time heartbeat{};                     ///< 0: none
  std::int64_t missed = 3;              ///< number of heartbeats without a message after which a peer is dead
  Time timeout{};                       ///< of an answer, times the SMA's height; 0: never
};

} // namespace hypermon::scms
