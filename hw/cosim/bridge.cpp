// SPDX-License-Identifier: BSD-3-Clause
#include "hw/cosim/bridge.hpp"
#include "hw/cosim/simgrid_date.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Engine.hpp>

#include <algorithm>

namespace hypermon {

namespace {
sc_core::sc_time to_sc(Time t) { return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.ps())); }
} // namespace

Time Bridge::systemc_now() { return Time::from_ps(static_cast<std::int64_t>(sc_core::sc_time_stamp().value())); }

Bridge::Bridge(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(run_posted);
  sensitive << wake_;
  dont_initialize();
}

void Bridge::attach() {
  simgrid::s4u::Engine::on_time_advance_cb([this](double) {
    if (!is_idle()) follow(simgrid_now());
  });
}

void Bridge::watch(std::int64_t most, std::function<void(Time now, const std::string& where)> stands_still) {
  standstill_ = Standstill(most);
  stands_still_ = std::move(stands_still);
}

void Bridge::step(Part part) {
  if (!standstill_.step(systemc_now())) [[likely]]
    return;
  stands_still_(systemc_now(), part.name + (part.number < 0 ? "" : " " + std::to_string(part.number)));
}

void Bridge::post(Time t, std::function<void()> f, Part part) {
  posted_.push({t, order_++, std::move(f), part});
  newly_posted_ = true;
  if (waiting_ > 0) arm_by(t);
}

void Bridge::call(std::function<void()> f) {
  post(simgrid_now(), std::move(f));
  arm_by(simgrid_now()); // an actor must not run SystemC, so a timer set to this time does it in maestro
}

void Bridge::run_posted() {
  while (!posted_.empty() && posted_.top().when <= systemc_now()) {
    step(posted_.top().part);
    auto action = std::move(const_cast<Posted&>(posted_.top()).action); // top() is const; popped next
    posted_.pop();
    action();
  }
  if (posted_.empty())
    sc_core::next_trigger(wake_);
  else
    sc_core::next_trigger(to_sc(posted_.top().when - systemc_now()), wake_);
}

// Fast check: if boards follow in large steps the bridge is nearly always idle, and SimGrid's clock advances many times
// per event.
bool Bridge::is_idle() const {
  return !newly_posted_ && waiting_ == 0 && timer_ == nullptr && !sc_core::sc_pending_activity();
}

void Bridge::follow(Time date) {
  const Time target = std::max(date, systemc_now());
  if (newly_posted_) {
    wake_.notify(sc_core::SC_ZERO_TIME);
    newly_posted_ = false;
  }
  const bool due = sc_core::sc_pending_activity() &&
                   to_sc(target) - sc_core::sc_time_stamp() >= sc_core::sc_time_to_pending_activity();
  if (due) {
    if (target > systemc_now()) sc_core::sc_start(to_sc(target - systemc_now()));
    // sc_start(d) leaves the delta cycles at the end time pending, and sc_start(0) runs a single one.
    while (sc_core::sc_pending_activity_at_current_time()) {
      step({"a delta cycle of SystemC", -1});
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
  }
  bound_simgrid();
}

void Bridge::bound_simgrid() { arm(waiting_ > 0 ? next_in_systemc() : Time::never()); }

Time Bridge::next_in_systemc() const {
  // Actions posted since SystemC last ran are not yet among its pending events.
  Time next = newly_posted_ ? posted_.top().when : Time::never();
  if (sc_core::sc_pending_activity())
    next = std::min(next, systemc_now() +
                              Time::from_ps(static_cast<std::int64_t>(sc_core::sc_time_to_pending_activity().value())));
  return next;
}

void Bridge::arm_by(Time date) {
  if (timer_ == nullptr || date < armed_) arm(date);
}

void Bridge::arm(Time date) {
  if (timer_ != nullptr && armed_ == date) return;
  if (timer_ != nullptr) timer_->remove();
  timer_ = nullptr;
  if (date == Time::never()) return;
  armed_ = date;
  timer_ = set_timer(date, [this] {
    timer_ = nullptr;
    follow(std::max(armed_, simgrid_now()));
  });
}

} // namespace hypermon
