// SPDX-License-Identifier: BSD-3-Clause
// What happens when: the event list of the simulation of packets. No simulation kernel: who has the time asks next(),
// and calls advance(). Events are small and cost no allocation: there are a dozen of them for every packet.
#pragma once
#include "base/time.hpp"
#include "hw/packets/core/params.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hypermon::piosim {

/// Whom events are for; it says what they mean.
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
  /// Not in the past. Of one date, what was asked for first comes first (or last: Ties).
  void at(Time date, Handler& handler, std::uint32_t what, std::uint32_t which = 0) {
    const std::uint64_t number = ++asked_;
    heap_.push_back({date, ties_ == Ties::first_asked ? number : ~number, &handler, what, which});
    std::push_heap(heap_.begin(), heap_.end());
  }
  void after(Time duration, Handler& handler, std::uint32_t what, std::uint32_t which = 0) {
    at(now_ + duration, handler, what, which);
  }
  /// never: nothing will happen.
  Time next() const { return heap_.empty() ? Time::never() : heap_.front().date; }
  /// Time has come to `now`, and what is due then has not happened yet.
  void reach(Time now) { now_ = std::max(now_, now); }
  /// All that is due by then happens, what follows from it at once, too.
  void advance(Time until) {
    while (next() <= until) step();
    reach(until);
  }
  /// The next event happens; there is one.
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
