// SPDX-License-Identifier: BSD-3-Clause
// Sleeping actors at half the host instructions of SimGrid's own sleeps, with the same times to the bit and in the same
// order. For every sleep SimGrid creates an activity, an action of the processor and a variable of its max-min system.
// Here a sleep is a time in the heap of one model (simgrid::kernel::resource::Model), which SimGrid queries for its
// next time.
//
// SimGrid's rules are kept. A sleep lasts at least SimGrid's precision, and ends together with whatever happens less
// than the precision before its time. Among sleeps that end together, earlier times come first; among equal times,
// those that began in an earlier step of SimGrid's clock; among these, those that began last. All come after the timers
// of that instant and before transfers. tests/cosim/test_sleep.cpp compares both implementations on random actors.
#pragma once

namespace hypermon {

/// Let the calling actor sleep. Until actors_sleep_quickly() is called, these are sleep_until() and sleep_for() of
/// simgrid::s4u::this_actor.
void actor_sleeps_until(double date);
void actor_sleeps_for(double seconds);

/// Switches to this implementation. Call this when the other callbacks of Engine::on_time_advance_cb have been
/// registered, before the engine runs. Requires that no code observes sleeps through SimGrid (Actor::on_sleep_cb), and
/// that the sleeps and computations of SimGrid itself (SMPI's costs, execute()) need no particular order relative to
/// others of the very same time.
void actors_sleep_quickly();

} // namespace hypermon
