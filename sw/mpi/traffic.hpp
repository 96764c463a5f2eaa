// SPDX-License-Identifier: BSD-3-Clause
// Counts the programs' messages and the bytes that they put onto the wire, for counters.
#pragma once
#include "base/counters.hpp"

#include <simgrid/forward.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hypermon {

class Traffic {
public:
  struct Direction {
    std::uint64_t bytes = 0;
    std::uint64_t packets = 0;
  };
  struct OfRank { // including the traffic of its place's interface, which is kept at the first rank there
    std::array<std::uint64_t, size_classes> sent_by_size{};
    std::array<std::uint64_t, size_classes> received_by_size{};
    std::uint64_t bytes_sent = 0;
    std::uint64_t bytes_received = 0;
    Direction out;
    Direction in;
  };
  /// Calls f(from, to, moved) for each transfer that has begun and not ended.
  using Moved = std::function<void(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to, double moved)>;
  using UnderWay = std::function<void(const Moved& f)>;

  /// `places`: host of each rank.
  explicit Traffic(const std::vector<const simgrid::s4u::Host*>& places) : ranks_(places.size()) {
    for (std::size_t r = 0; r < places.size(); ++r) rank_at_.emplace(places[r], r);
  }

  /// A message leaves its rank, or its data have arrived at their destination.
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
  /// A transfer, header included, begins or has ended. Transfers within a place use no interface. under_way() says how
  /// many bytes have passed before the end; for a transfer that it does not name, all bytes pass at the end.
  void begins(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to) {
    changed();
    if (from == to) return;
    if (OfRank* rank = at(from)) ++rank->out.packets;
  }
  void ends(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to, double size) {
    changed();
    if (from == to) return;
    const auto bytes = static_cast<std::uint64_t>(size);
    if (OfRank* rank = at(from)) rank->out.bytes += bytes;
    if (OfRank* rank = at(to)) rank->in.bytes += bytes, ++rank->in.packets;
  }
  void under_way(UnderWay transfers) { under_way_ = std::move(transfers); }
  /// Bytes of completed transfers and of those under way that have passed by `now`, the simulated time.
  std::uint64_t bytes_out(std::size_t rank, Time now) const { return ranks_[rank].out.bytes + passing(now)[rank].out; }
  std::uint64_t bytes_in(std::size_t rank, Time now) const { return ranks_[rank].in.bytes + passing(now)[rank].in; }
  const OfRank& counts(std::size_t rank) const { return ranks_[rank]; }

private:
  struct Passing { // bytes of transfers under way
    std::uint64_t out = 0;
    std::uint64_t in = 0;
  };
  OfRank* at(const simgrid::s4u::Host* place) {
    const auto rank = rank_at_.find(place);
    return rank == rank_at_.end() ? nullptr : &ranks_[rank->second];
  }
  void changed() { passing_at_.reset(); }
  /// Result for each rank. The transfers are visited once for each time, however many counters are read then.
  const std::vector<Passing>& passing(Time now) const {
    if (passing_at_ == now) return passing_;
    passing_at_ = now;
    passing_.assign(ranks_.size(), {});
    if (under_way_)
      under_way_([this](const simgrid::s4u::Host* from, const simgrid::s4u::Host* to, double moved) {
        if (from == to) return;
        const auto bytes = static_cast<std::uint64_t>(moved);
        if (const auto rank = rank_at_.find(from); rank != rank_at_.end()) passing_[rank->second].out += bytes;
        if (const auto rank = rank_at_.find(to); rank != rank_at_.end()) passing_[rank->second].in += bytes;
      });
    return passing_;
  }
  std::vector<OfRank> ranks_;
  UnderWay under_way_;
  mutable std::optional<Time> passing_at_;
  mutable std::vector<Passing> passing_;
  std::unordered_map<const simgrid::s4u::Host*, std::size_t> rank_at_;
};

} // namespace hypermon
