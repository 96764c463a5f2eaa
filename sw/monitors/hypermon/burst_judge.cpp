// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/burst_judge.hpp"

namespace hypermon {

BurstJudge::BurstJudge(std::uint32_t nodes) {
  const auto file = std::make_shared<SpillFile>();
  const std::size_t most = std::max<std::size_t>(fewest_in_memory, most_in_memory / nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) nodes_.emplace_back(Queue(most, file));
}

void BurstJudge::wrote(NodeId node, std::uint32_t data, Time start, Time first_strobe) {
  Node& from = nodes_[index(node)];
  from.pending.append() = {from.data, data, 0, 0, no_datum, start, first_strobe, Time{}, CauseId{}};
  from.data += data;
  ++generated_bursts_;
  generated_data_ += data;
}

void BurstJudge::lost(NodeId node, std::uint64_t sequence, CauseId cause) {
  ++losses_[static_cast<std::size_t>(cause)].nibbles;
  Pending* burst = damage(node, sequence, cause);
  if (burst == nullptr) throw std::logic_error("internal error: a datum was lost that was not on its way");
  ++burst->lost;
  Queue& queue = nodes_[index(node)].pending;
  settle(queue, Time{}); // there are only losses, for which no time is needed
}

void BurstJudge::falsified(NodeId node, std::uint64_t sequence, CauseId cause) { damage(node, sequence, cause); }

void BurstJudge::lost_rest(NodeId node, std::uint64_t n, CauseId cause) {
  Queue& queue = nodes_[index(node)].pending;
  for (; queue.size() != 0; settle_front(queue, Time{})) {
    Pending& burst = queue[0];
    n -= burst.open();
    losses_[static_cast<std::size_t>(cause)].nibbles += burst.open();
    const std::uint32_t place = burst.data - burst.open();
    if (place < burst.first_damaged) burst.first_damaged = place, burst.cause = cause;
    burst.lost += burst.open();
  }
  if (n != 0) throw std::logic_error("internal error: data neither arrived nor were lost");
}

// The burst that contains the datum.
BurstJudge::Pending* BurstJudge::damage(NodeId node, std::uint64_t sequence, CauseId cause) {
  Pending* const last =
      nodes_[index(node)].pending.last_of([sequence](const Pending& p) { return p.first_sequence <= sequence; });
  if (last == nullptr) return nullptr;
  Pending& burst = *last;
  const std::uint64_t place = sequence - burst.first_sequence;
  if (place >= burst.data) return nullptr;
  // Each stage reports in its own order, so the cause of the foremost datum is kept.
  if (place < burst.first_damaged) {
    burst.first_damaged = static_cast<std::uint32_t>(place);
    burst.cause = cause;
  }
  return &burst;
}

// Settles the oldest bursts without data under way. Only the first of them can have just arrived.
void BurstJudge::settle(Queue& queue, Time read_end) {
  while (queue.size() != 0 && queue[0].open() == 0) settle_front(queue, read_end);
}

void BurstJudge::settle_front(Queue& queue, Time read_end) {
  const Pending& burst = queue[0];
  if (burst.first_damaged == no_datum) {
    ++delivered_bursts_;
    latency_.add(read_end - burst.start);
    timestamp_error_.add(burst.stamp - burst.first_strobe);
  } else {
    if (burst.lost == 0) ++falsified_bursts_;
    ++losses_[static_cast<std::size_t>(burst.cause)].events;
  }
  queue.pop();
}

std::uint64_t BurstJudge::in_flight_bursts() const {
  std::uint64_t n = 0;
  for (const Node& node : nodes_) n += node.pending.size();
  return n;
}

} // namespace hypermon
