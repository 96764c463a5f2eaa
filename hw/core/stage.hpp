// SPDX-License-Identifier: BSD-3-Clause
// A component that processes one item at a time: the frame builder, an arbiter.
#pragma once
#include "base/clock.hpp"
#include <optional>
#include <utility>

namespace hypermon {

/// The item is complete at a given edge and stays in the stage while its successor has no room. The next item may be
/// taken at the edge at which it leaves (spec sec. 2).
template <class T> class Stage {
public:
  bool busy() const { return item_.has_value(); }
  const T& item() const { return *item_; }
  /// Returns the place of a new item, which is complete at `edge`.
  T& take(Time edge) {
    complete_ = edge;
    return item_.emplace();
  }
  bool complete_at(Time edge) const { return busy() && edge >= complete_; }
  std::optional<T> leave() {
    std::optional<T> item(std::move(item_)); // std::exchange() would copy the item once more
    item_.reset();
    return item;
  }
  void clear() { item_.reset(); }

  /// The next edge after `now` at which an item can leave or a waiting one can be taken.
  Time next(Time now, bool one_waits, bool room) const {
    if (!busy()) return one_waits ? now + clock_period : Time::never();
    if (complete_ > now) return complete_;
    return room ? now + clock_period : Time::never();
  }

private:
  std::optional<T> item_;
  Time complete_;
};

} // namespace hypermon
