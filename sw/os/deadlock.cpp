// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/deadlock.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/cosim/sleep.hpp"

#include <algorithm>
#include <string>

namespace hypermon {
namespace sg4 = simgrid::s4u;

namespace {

// largest latency of a message (chosen); deadlocks are reported with this delay
constexpr Time longest_latency = 10000_ms;

bool links_are_used() {
  const auto links = sg4::Engine::get_instance()->get_all_links();
  return std::any_of(links.begin(), links.end(),
                     [](const sg4::Link* link) { return simgrid_compat::load_of(link) > 0; });
}

} // namespace

void DeadlockWatch::watch_smpi() {
  const auto begins = [this] { wake_ups_.sleeps(); };
  const auto ends = [this] { wake_ups_.wakes(), wake_ups_.notes_progress(); };
  // SMPI's own costs are sleeps. smpi_execute() is an execution.
  sg4::Actor::on_sleep_cb([begins](const sg4::Actor& actor) {
    if (!actor.is_daemon()) begins();
  });
  sg4::Actor::on_wake_up_cb([ends](const sg4::Actor& actor) {
    if (!actor.is_daemon()) ends();
  });
  sg4::Exec::on_start_cb([begins](const auto&) { begins(); });
  // end of any activity, including a monitor's transfers
  sg4::Exec::on_completion_cb([ends](const sg4::Activity& activity) {
    if (dynamic_cast<const sg4::Exec*>(&activity) != nullptr) ends();
  });
  simgrid_compat::on_transfer_end([this](double size, double start, const auto* activity) {
    if (machine_.is_own(activity)) return; // belongs to a monitor and wakes no rank
    wake_ups_.notes_progress();
    if (transfer_ended_) [[unlikely]]
      transfer_ended_(activity, start, size);
  });
  sg4::Engine::on_deadlock_cb([this] { fail(); });
}

void DeadlockWatch::watch(sg4::Host* place, Time period) {
  if (std::exchange(is_watched_, true)) return;
  auto actor = sg4::Actor::init("watch for deadlocks", place);
  actor->daemonize();
  actor->start([this, period] {
    for (;;) {
      actor_sleeps_for(period.seconds());
      check();
    }
  });
}

void DeadlockWatch::check() {
  if (!wake_ups_.stand_still(simgrid_now())) return;
  // SMPI does not announce the begin of a transfer, and the transfer uses no link until its latency has passed.
  if (smpi_carries_ && (simgrid_now() - wake_ups_.still_since() < longest_latency || links_are_used())) return;
  fail();
}

void DeadlockWatch::fail() const {
  if (const std::string text = ranks_.waiting(); !text.empty())
    fail_simulation("the program deadlocked at " + std::to_string(simgrid_now().seconds()) + " s:" + text);
}

} // namespace hypermon
