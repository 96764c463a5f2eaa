// SPDX-License-Identifier: BSD-3-Clause
// Interface that reports the fate of every event of a run.
#pragma once
#include "base/time.hpp"
#include "hw/machine/node_clock.hpp"
#include "sw/instrumentation/catalogue.hpp"
#include "sw/instrumentation/causality.hpp"

#include <cstddef>
#include <cstdint>

namespace hypermon {

/// An event and its emission by the node. All times are true times.
struct Emitted {
  NodeId node{};
  Event event;
  Time start; ///< begin of the emission
  Time first; ///< first data left the node; reference for the monitor's timestamp
  std::uint64_t message = 0;
  MessageSide side = MessageSide::none;
};

/// Calls for one node are in the order of its emissions.
class FateSink {
public:
  virtual ~FateSink() = default;
  /// The monitor gives the event the timestamp `stamp`. All of its data had arrived at `there`.
  virtual void delivered(const Emitted& event, Time stamp, Time there) = 0;
  /// The event was lost at that index of Rerun::places().
  virtual void lost(const Emitted& event, std::size_t place) = 0;
  /// The monitor delivered an event that no node emitted.
  virtual void spurious(NodeId node, EventType type, Time stamp, Time there) = 0;
};

} // namespace hypermon
