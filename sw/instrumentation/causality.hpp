// SPDX-License-Identifier: BSD-3-Clause
// Counts messages that a monitor shows as received before they were sent, by the monitor's own timestamps.
//
// Sides of a message may come in any order and either may be lost: a side waits for the other in a table of fixed
// size, and gives way to a message `capacity` ids later. Message ids are to be counted up from any start (chosen), so
// that this forgets only sides whose partner is long lost.
#pragma once
#include "base/time.hpp"
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon {

/// What an event says about a message: nothing, that it leaves (before it can be received), that it is received.
enum class MessageSide : std::uint8_t { none, send, receive };

class CausalityChecker {
public:
  /// `capacity` is rounded up to a power of two.
  explicit CausalityChecker(std::size_t capacity = 1 << 14) : waiting_(std::bit_ceil(capacity)) {}

  /// One side of a message, with the timestamp that the monitor gives it. At most once per message and side.
  void add(std::uint64_t message, MessageSide side, Time stamp) {
    if (side == MessageSide::none) return;
    Waiting& slot = waiting_[message & (waiting_.size() - 1)];
    if (slot.side == MessageSide::none || slot.message != message) {
      if (slot.side != MessageSide::none) ++unpaired_;
      if (slot.side == MessageSide::none || slot.message < message) slot = {message, stamp, side};
      return;
    }
    if (slot.side == side) return;
    const Time lead = side == MessageSide::receive ? slot.stamp - stamp : stamp - slot.stamp;
    slot.side = MessageSide::none;
    ++pairs_;
    if (lead > Time{}) {
      ++violations_;
      worst_ = std::max(worst_, lead);
    }
  }

  std::uint64_t pairs() const { return pairs_; }
  std::uint64_t violations() const { return violations_; }
  /// Longest time by which a receive was stamped before its send.
  Time worst() const { return worst_; }
  /// Sides that gave up waiting.
  std::uint64_t unpaired() const { return unpaired_; }

private:
  struct Waiting {
    std::uint64_t message = 0;
    Time stamp{};
    MessageSide side = MessageSide::none;
  };
  std::vector<Waiting> waiting_;
  std::uint64_t pairs_ = 0;
  std::uint64_t violations_ = 0;
  std::uint64_t unpaired_ = 0;
  Time worst_{};
};

} // namespace hypermon
