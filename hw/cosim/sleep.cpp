// SPDX-License-Identifier: BSD-3-Clause
#include "hw/cosim/sleep.hpp"
#include "hw/cosim/simgrid_compat.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Model.hpp>

#include <xbt/config.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

namespace hypermon {
namespace sg4 = simgrid::s4u;
using Actor = simgrid::kernel::actor::ActorImpl;

// Ends SimGrid's own sleeps as well. Declared by its symbol, because ActorImpl is in no public header.
void answer(Actor* actor) asm("_ZN7simgrid6kernel5actor9ActorImpl14simcall_answerEv");

namespace {

class Sleepers : public simgrid::kernel::resource::Model {
public:
  Sleepers() : Model("sleepers"), precision_(simgrid::config::get_value<double>(simgrid_compat::precision_option)) {}

  void sleep(double seconds) {
    const Sleep sleep{*this, sg4::Actor::self()->get_impl(), seconds};
    simcall_run_blocking([&sleep] { sleep.begin(); }, nullptr); // returns after answer()
  }

  double next_occurring_event(double now) override { return sleepers_.empty() ? -1 : sleepers_.front().date - now; }
  void update_actions_state(double, double) override {} // does nothing, because timers are processed first

  void clock_advanced() {
    ++step_;
    if (!is_due()) return;
    simgrid::kernel::timer::Timer::execute_all(); // SimGrid does the same next
    while (is_due()) {
      answer(sleepers_.front().actor);
      std::pop_heap(sleepers_.begin(), sleepers_.end(), is_later);
      sleepers_.pop_back();
    }
  }

private:
  struct Sleeper {
    double date;
    std::uint64_t step;
    std::uint64_t number;
    Actor* actor;
  };
  /// Order for std::push_heap and its relatives: the sleeper that wakes first is in front.
  static bool is_later(const Sleeper& a, const Sleeper& b) {
    if (a.date != b.date) return a.date > b.date;
    return a.step != b.step ? a.step > b.step : a.number < b.number;
  }

  /// Removes an actor that is killed while it sleeps.
  struct Sleep {
    Sleepers& all;
    Actor* actor;
    double seconds;
    int exceptions = std::uncaught_exceptions();
    void begin() const { all.begin(actor, seconds); }
    ~Sleep() {
      if (std::uncaught_exceptions() > exceptions) all.forget(actor);
    }
  };

  void begin(Actor* actor, double seconds) {
    sleepers_.push_back({sg4::Engine::get_clock() + std::max(seconds, precision_), step_, number_++, actor});
    std::push_heap(sleepers_.begin(), sleepers_.end(), is_later);
  }

  void forget(const Actor* actor) {
    std::erase_if(sleepers_, [actor](const Sleeper& s) { return s.actor == actor; });
    std::make_heap(sleepers_.begin(), sleepers_.end(), is_later);
  }

  bool is_due() const { return !sleepers_.empty() && sleepers_.front().date - sg4::Engine::get_clock() < precision_; }

  double precision_;
  std::vector<Sleeper> sleepers_; // a heap
  std::uint64_t step_ = 0;        // number of SimGrid's clock step
  std::uint64_t number_ = 0;
};

std::shared_ptr<Sleepers> sleepers; // one object for the process, like SimGrid's engine

} // namespace

void actor_sleeps_until(double date) {
  const double now = sg4::Engine::get_clock();
  if (date > now) actor_sleeps_for(date - now);
}

void actor_sleeps_for(double seconds) {
  if (!sleepers) return sg4::this_actor::sleep_for(seconds);
  if (seconds > 0) sleepers->sleep(seconds);
}

void actors_sleep_quickly() {
  sleepers = std::make_shared<Sleepers>();
  sg4::Engine::get_instance()->add_model(sleepers);
  sg4::Engine::on_time_advance_cb([](double) { sleepers->clock_advanced(); });
}

} // namespace hypermon
