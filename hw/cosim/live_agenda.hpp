// SPDX-License-Identifier: BSD-3-Clause
// An agenda on SimGrid's clock: a timer is set to what comes next.
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
  /// Whatever those on it are asked or told: first what is due, then that, then the next date is known. In maestro.
  void do_now(const std::function<void()>& action) {
    agenda_.advance(std::max(agenda_.now(), simgrid_now()));
    action();
    arm();
  }
  /// After something was put on it outside of do_now().
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
