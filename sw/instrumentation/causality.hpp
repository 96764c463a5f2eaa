// SPDX-License-Identifier: BSD-3-Clause
// Counts messages that were received before they were sent according to the monitor's timestamps.
//
// The two sides of a message may arrive in any order, and either may be lost. Each side waits for the other one in a
// table of fixed size, and is replaced by a message whose id is larger by `capacity`. Ids must be consecutive from any
// start (chosen), so that only sides are dropped whose partner was lost long ago.
#pragma once
#include "base/time.hpp"
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon {

/// Role of an event for a message: none, the send (which precedes any receive), or the receive.
enum class MessageSide : std::uint8_t { none, send, receive };

class CausalityChecker {
public:
  /// `capacity` is rounded up to a power of two.
  explicit CausalityChecker(std::size_t capacity = 1 << 14) : waiting_(std::bit_ceil(capacity)) {}

  /// Adds one side of a message with the monitor's timestamp. At most once for each message and side.
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
  /// Largest time by which a receive was stamped before its send.
  Time worst() const { return worst_; }
  /// Number of sides that were replaced before their partner arrived.
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
