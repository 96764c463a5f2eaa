// SPDX-License-Identifier: BSD-3-Clause
// Interface for observers of the data that the nodes write to their ports while a program runs.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "sw/monitors/hypermon/trace_checker.hpp"

namespace hypermon {

class BurstSink {
public:
  virtual ~BurstSink() = default;
  /// A node's burst is an event whose first datum is flagged. `message` and `side` are those of an Emission.
  virtual void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
                   MessageSide side) = 0;
  /// A board's drain program has sent a message to the host (drain.destination = host), and continues at `at`.
  virtual void message_sent(std::size_t /*board*/, Time /*at*/) {}
  /// No later burst has its first strobe before `horizon`, and no later message is sent before it.
  virtual void advance(Time horizon) = 0;
  /// The program has ended, and nothing follows.
  virtual void close(Time program_end) = 0;
};

} // namespace hypermon
