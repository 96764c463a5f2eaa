// SPDX-License-Identifier: BSD-3-Clause
// An agenda on SimGrid's clock: a timer is set to the time of the next action.
#pragma once
#include "base/agenda.hpp"
#include "hw/cosim/simgrid_date.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <functional>

namespace hypermon {

class LiveAgenda {
public:
  LiveAgenda() = default;
  LiveAgenda(const LiveAgenda&) = delete;
  LiveAgenda& operator=(const LiveAgenda&) = delete;
  ~LiveAgenda() {
    if (timer_ != nullptr) timer_->remove();
  }

  Agenda& agenda() { return agenda_; }
  /// Runs an action that may use the agenda: first all due actions run, then `action`, then the timer is set to the
  /// next time. Only maestro may call this.
  void do_now(const std::function<void()>& action) {
    agenda_.advance(std::max(agenda_.now(), simgrid_now()));
    action();
    arm();
  }
  /// Call this after an action was added outside of do_now().
  void arm() {
    const Time date = agenda_.next();
    if (timer_ != nullptr && armed_ == date) return;
    if (timer_ != nullptr) timer_->remove();
    timer_ = nullptr;
    if (date == Time::never()) return;
    armed_ = date;
    timer_ = set_timer(date, [this] {
      timer_ = nullptr;
      agenda_.advance(std::max(armed_, simgrid_now()));
      arm();
    });
  }

private:
  Agenda agenda_;
  simgrid::kernel::timer::Timer* timer_ = nullptr;
  Time armed_{};
};

} // namespace hypermon
