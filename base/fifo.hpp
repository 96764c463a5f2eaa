// SPDX-License-Identifier: BSD-3-Clause
// A hardware FIFO: a depth, and a policy for when it is full.
#pragma once
#include "base/choice.hpp"
#include "base/queues.hpp"
#include <cstdint>
#include <optional>
#include <utility>

namespace hypermon {

/// drop_newest: the arriving item is lost. drop_oldest: the item that has waited longest is lost. stall: the producer
/// waits.
enum class WhenFull : std::uint8_t { drop_newest, drop_oldest, stall };
constexpr auto words_of(WhenFull) { return words("drop", "drop_oldest", "stall"); }

/// Decisions at a clock edge pass the level before that edge (spec sec. 1), so a removal makes no room at its own edge.
/// `Items` is the queue that holds the items: a Ring, or a DeepQueue where a FIFO may be too deep for memory.
template <class T, class Items = Ring<T>> class Fifo {
public:
  Fifo(std::int64_t depth, WhenFull policy, Items items = Items())
      : depth_(static_cast<std::size_t>(depth)), policy_(policy), items_(std::move(items)) {}

  WhenFull policy() const { return policy_; }
  bool full_at(std::size_t level) const { return level >= depth_; }
  bool full() const { return full_at(size()); }
  std::size_t depth() const { return depth_; }
  Items& items() { return items_; }
  void set_depth(std::int64_t depth) { depth_ = static_cast<std::size_t>(depth); }
  /// True if it accepts an item at an edge with this level before it, if necessary by dropping one. Otherwise the
  /// producer waits.
  bool accepts(std::size_t level) const { return policy_ != WhenFull::stall || !full_at(level); }

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  const T& front() const { return items_.front(); }
  const T& newest() const { return items_.newest(); }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  void push(const T& item) { items_.push(item); }
  /// Adds an item at an edge before which the level was `level`. Returns the lost item, if there is one: the new item,
  /// or the oldest except for the first `kept` items, which cannot be lost. Must not be called where a stall applies,
  /// because the producer waits then.
  std::optional<T> arrive(const T& item, std::size_t level, std::size_t kept = 0) {
    std::optional<T> lost;
    if (full_at(level)) {
      if (policy_ != WhenFull::drop_oldest || size() <= kept) return item;
      lost = items_[kept];
      erase(kept);
    }
    push(item);
    return lost;
  }
  void pop() { items_.pop(); }
  void pop_newest() { items_.pop_back(); }
  /// Removes the i-th oldest item.
  void erase(std::size_t i) { items_.erase(i); }
  void clear() { items_.clear(); }

private:
  std::size_t depth_;
  WhenFull policy_;
  Items items_;
};

} // namespace hypermon
