// SPDX-License-Identifier: BSD-3-Clause
// The event list of the packet simulation. No simulation kernel: the caller reads next() and calls advance(). Events
// are small and need no allocation, because there are a dozen of them for every packet.
#pragma once
#include "base/time.hpp"
#include "hw/packets/core/params.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hypermon::piosim {

/// Receiver of events, which defines the meaning of their numbers.
class Handler {
public:
  virtual void handle(std::uint32_t what, std::uint32_t which) = 0;

protected:
  ~Handler() = default;
};

class Events {
public:
  explicit Events(Ties ties = Ties::first_asked) : ties_(ties) {}

  Time now() const { return now_; }
  /// The time must not be in the past. Among events of one time the order of requests decides (first or last: Ties).
  void at(Time date, Handler& handler, std::uint32_t what, std::uint32_t which = 0) {
    const std::uint64_t number = ++asked_;
    heap_.push_back({date, ties_ == Ties::first_asked ? number : ~number, &handler, what, which});
    std::push_heap(heap_.begin(), heap_.end());
  }
  void after(Time duration, Handler& handler, std::uint32_t what, std::uint32_t which = 0) {
    at(now_ + duration, handler, what, which);
  }
  /// never: there are no more events.
  Time next() const { return heap_.empty() ? Time::never() : heap_.front().date; }
  /// Moves the time to `now`; events that are due at that time have not happened yet.
  void reach(Time now) { now_ = std::max(now_, now); }
  /// Processes all events up to `until`, including those that they cause within this time.
  void advance(Time until) {
    while (next() <= until) step();
    reach(until);
  }
  /// Processes the next event, which must exist.
  void step() {
    std::pop_heap(heap_.begin(), heap_.end());
    const Event event = heap_.back();
    heap_.pop_back();
    now_ = std::max(now_, event.date);
    ++happened_;
    event.handler->handle(event.what, event.which);
  }
  std::uint64_t happened() const { return happened_; }

private:
  struct Event {
    Time date;
    std::uint64_t order;
    Handler* handler;
    std::uint32_t what;
    std::uint32_t which;
    bool operator<(const Event& other) const { return date != other.date ? date > other.date : order > other.order; }
  };
  Ties ties_;
  std::vector<Event> heap_;
  std::uint64_t asked_ = 0;
  std::uint64_t happened_ = 0;
  Time now_;
};

} // namespace hypermon::piosim
