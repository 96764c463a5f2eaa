// SPDX-License-Identifier: BSD-3-Clause
// The programs' messages and what they put onto the wire, counted for those who read counters.
#pragma once
#include "base/counters.hpp"

#include <simgrid/forward.h>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hypermon {

class Traffic {
public:
  struct Direction {
    std::uint64_t bytes = 0;
    std::uint64_t packets = 0;
  };
  struct OfRank { // and of its place's interface: that of the first rank there
    std::array<std::uint64_t, size_classes> sent_by_size{};
    std::array<std::uint64_t, size_classes> received_by_size{};
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_received = 0;
    Direction out;
    Direction in;
  };
  /// Of each rank.
  explicit Traffic(const std::vector<const simgrid::s4u::Host*>& places) : ranks_(places.size()) {
    for (std::size_t r = 0; r < places.size(); ++r) rank_at_.emplace(places[r], r);
  }

  /// A message leaves its rank; its data are at their destination.
  void sent(int rank, std::int64_t bytes) {
    OfRank& own = ranks_[static_cast<std::size_t>(rank)];
    ++own.sent_by_size[size_class(bytes)];
    own.bytes_sent += static_cast<std::uint64_t>(bytes);
  }
  void received(int rank, std::int64_t bytes) {
    OfRank& own = ranks_[static_cast<std::size_t>(rank)];
    ++own.received_by_size[size_class(bytes)];
    own.bytes_received += static_cast<std::uint64_t>(bytes);
  }
  /// A transfer, header included, begins or has ended. Within a place it takes no interface.
  void begins(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to, double size) {
    if (from == to) return;
    if (const auto rank = rank_at_.find(from); rank != rank_at_.end()) add(ranks_[rank->second].out, size);
  }
  void ends(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to, double size) {
    if (from == to) return;
    if (const auto rank = rank_at_.find(to); rank != rank_at_.end()) add(ranks_[rank->second].in, size);
  }
  const OfRank& of(std::size_t rank) const { return ranks_[rank]; }

private:
  static void add(Direction& direction, double size) {
    direction.bytes += static_cast<std::uint64_t>(size);
    ++direction.packets;
  }
  std::vector<OfRank> ranks_;
  std::unordered_map<const simgrid::s4u::Host*, std::size_t> rank_at_;
};

} // namespace hypermon
