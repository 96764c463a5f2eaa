// SPDX-License-Identifier: BSD-3-Clause
// Exact, conservative coupling of the two kernels. SimGrid is the master clock; SystemC follows to SimGrid's time.
//
//  * SimGrid -> SystemC: post(t, f): f runs inside SystemC at exactly t.
//  * SystemC -> SimGrid: a SystemC process, which runs in SimGrid's maestro, releases a semaphore, and the actor that
//    waits on it wakes at that time.
//  * While an actor waits for SystemC (a Feedback guard exists), SimGrid never passes the next instant at which SystemC
//    may act. Without one there is no bound, and no cost.
//
// There is no quantum: both ways are exact to one ulp of SimGrid's clock (measured in tests/cosim).
#pragma once
#include "base/time.hpp"
#include "hw/cosim/standstill.hpp"

#include <systemc>

#include <simgrid/forward.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

namespace simgrid::kernel::timer {
class Timer;
}

namespace hypermon {

/// Creates the one SystemC <-> SimGrid bridge of the process. Construct during SystemC's elaboration, before
/// Engine::run; call attach() once.
class Bridge : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(Bridge);
  explicit Bridge(const sc_core::sc_module_name& name);

  /// Follows SimGrid's clock from now on.
  void attach();

  /// Description of an action in SystemC, for reports: "the held write of node 3".
  struct Part {
    const char* name;
    std::int64_t number; ///< appended to the name, unless it is negative
  };
  /// Runs `f` inside SystemC at exactly `t`, which must not lie before SimGrid's time. An actor, maestro or SystemC may
  /// call this.
  void post(Time t, std::function<void()> f, Part part = {"an action", -1});
  /// Runs `f` inside SystemC at SimGrid's time, before SimGrid's clock advances. Only an actor may call this.
  void call(std::function<void()> f);

  /// Calls `stands_still`, which must not return, with the place if SystemC executes more than `most` steps (posted
  /// actions, delta cycles) at one instant; 0: any number.
  void watch(std::int64_t most, std::function<void(Time now, const std::string& where)> stands_still);

  /// Exists while some actor waits for SystemC.
  class Feedback {
  public:
    explicit Feedback(Bridge& bridge) : bridge_(bridge) {
      if (++bridge_.waiting_ == 1) bridge_.arm_by(bridge_.next_in_systemc());
    }
    ~Feedback() { --bridge_.waiting_; }
    Feedback(const Feedback&) = delete;
    Feedback& operator=(const Feedback&) = delete;

  private:
    Bridge& bridge_;
  };

  /// SystemC's current time.
  static Time systemc_now();

private:
  struct Posted {
    Time when;
    std::uint64_t order;
    std::function<void()> action;
    Part part;
    bool operator<(const Posted& other) const { return when != other.when ? when > other.when : order > other.order; }
  };

  void run_posted();      // SystemC process
  void step(Part part);   // counts a step of SystemC at its current time
  bool is_idle() const;   // no event is pending in SystemC, and no actor waits for it
  void follow(Time date); // maestro: SystemC catches up to `date`, delta cycles included
  void bound_simgrid();   // maestro: SimGrid will stop at SystemC's next instant if an actor waits for SystemC
  Time next_in_systemc() const;
  void arm_by(Time date); // arms it at this time, unless it is already armed at an earlier one
  void arm(Time date);    // never: no timer

  std::priority_queue<Posted> posted_;
  std::uint64_t order_ = 0;
  bool newly_posted_ = false;
  int waiting_ = 0;
  Standstill standstill_;
  std::function<void(Time, const std::string&)> stands_still_;
  sc_core::sc_event wake_;
  simgrid::kernel::timer::Timer* timer_ = nullptr;
  Time armed_ = Time::never();
};

} // namespace hypermon
