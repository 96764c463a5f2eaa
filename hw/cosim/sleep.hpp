// SPDX-License-Identifier: BSD-3-Clause
// Actors that sleep, for half of the host's instructions that SimGrid's own sleeps take, at the same dates to the bit
// and in the same order. SimGrid makes an activity, an action of the processor and a variable of its max-min system for
// every sleep; here it is a date in a heap, of a model (simgrid::kernel::resource::Model) that SimGrid asks for its
// next date.
//
// What is SimGrid's rule is kept: a sleep takes SimGrid's precision at least; it ends with whatever happens less than
// the precision before its date; of sleeps that end together the earlier date is first, of equal dates the one that
// began in an earlier step of SimGrid's clock, and of those the one that began last; all come after the timers of that
// instant and before transfers. tests/cosim/test_sleep.cpp compares both on random actors.
#pragma once

namespace hypermon {

/// From an actor: simgrid::s4u::this_actor's sleep_until() and sleep_for(), and those until actors_sleep_quickly().
void actor_sleeps_until(double date);
void actor_sleeps_for(double seconds);

/// From now on actors sleep the quick way. To be called when everybody else is told that SimGrid's clock advances
/// (Engine::on_time_advance_cb), before the engine runs. Only where nobody asks SimGrid who sleeps
/// (Actor::on_sleep_cb), and where what SimGrid itself lets sleep or compute (SMPI's costs, execute()) need not wake in
/// an order with others of the very same date.
void actors_sleep_quickly();

} // namespace hypermon
