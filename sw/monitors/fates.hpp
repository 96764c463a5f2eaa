// SPDX-License-Identifier: BSD-3-Clause
// What became of every event of a run, for who wants to know.
#pragma once
#include "base/time.hpp"
#include "hw/machine/node_clock.hpp"
#include "sw/instrumentation/catalogue.hpp"
#include "sw/instrumentation/causality.hpp"

#include <cstddef>
#include <cstdint>

namespace hypermon {

/// An event, and when its node emitted it. True times.
struct Emitted {
  NodeId node{};
  Event event;
  Time start; ///< of the emission
  Time first; ///< when the first of it left the node: what a monitor's timestamp is held against
  std::uint64_t message = 0;
  MessageSide side = MessageSide::none;
};

/// Calls for one node come in the order of its emissions.
class FateSink {
public:
  virtual ~FateSink() = default;
  /// The monitor dates the event `stamp`; it had it whole at `there`.
  virtual void delivered(const Emitted& event, Time stamp, Time there) = 0;
  /// At that of the monitor's places (Rerun::places()).
  virtual void lost(const Emitted& event, std::size_t place) = 0;
  /// The monitor has it, but no node emitted it.
  virtual void spurious(NodeId node, EventType type, Time stamp, Time there) = 0;
};

} // namespace hypermon
