// SPDX-License-Identifier: BSD-3-Clause
// Who is told what the nodes write to their ports, while a program runs.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "sw/monitors/hypermon/trace_checker.hpp"

namespace hypermon {

class BurstSink {
public:
  virtual ~BurstSink() = default;
  /// A node's burst is an event, whose first datum is flagged. `message` and `side`: as in an Emission.
  virtual void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
                   MessageSide side) = 0;
  /// drain.destination = host: a board's drain program has sent a message; it goes on at `at`.
  virtual void message_sent(std::size_t /*board*/, Time /*at*/) {}
  /// No burst that is still to come has its first strobe before `horizon`, and no message is sent before it.
  virtual void advance(Time horizon) = 0;
  /// Nothing more comes; the program has ended.
  virtual void close(Time program_end) = 0;
};

} // namespace hypermon
