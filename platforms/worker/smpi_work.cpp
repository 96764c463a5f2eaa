// SPDX-License-Identifier: BSD-3-Clause
// What SMPI offers programs to say what their own code takes. Flops (SMPI_SAMPLE_FLOPS, SMPI_SAMPLE_DELAY) are a charge
// like hypermon_charge's, on a CPU as fast as SimGrid's host. SMPI_SAMPLE_LOCAL and SMPI_SAMPLE_GLOBAL would measure
// some of a loop's iterations on this host and skip the others: here all of them run, and what they take is what
// program.compute says, as of all code.
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/mpi/clock_looks.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/os/program_observer.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <xbt/config.hpp>
#include <xbt/parse_units.hpp>

namespace hypermon {
namespace {

double speed_here() { return simgrid::s4u::this_actor::get_host()->get_speed(); }

enum class Charged : std::uint8_t { yes, by_simgrid, not_of_program };

/// Or who is to execute it.
Charged charge(double flops) {
  if (!ranks().current() || rank_table().self().in_mpi != nullptr) return Charged::not_of_program;
  RankState& self = rank_table().self();
  catch_up(self);
  const double seconds = flops / speed_here();
  execution().check_reach(seconds);
  const Time nominal = Time::from_seconds_rounded(seconds);
  if (mpi_layer().has_own_library) return execution().charge(self, nominal), Charged::yes;
  if (!execution().counts(self, nominal)) return Charged::yes;
  for (ProgramObserver* observer : execution().program_observers(self)) observer->compute(self, nominal);
  if (!self.task) return Charged::by_simgrid;
  self.works_for = WorkOf::program;
  return execution().take(self, nominal), Charged::yes; // SimGrid would know nobody beside it
}

/// Of seconds on the host that SMPI is told of: one of 20 kflop/s, if nobody says it.
double host_flops(double seconds) {
  static const double speed =
      xbt_parse_get_speed("", 0, simgrid::config::get_value<std::string>("smpi/host-speed"), "");
  return seconds < simgrid::config::get_value<double>("smpi/cpu-threshold") ? 0 : seconds * speed;
}

} // namespace

#define SMPI_WORK(name, flops)                                                                                         \
  LIBC(void, name, double amount) {                                                                                    \
    const Charged charged = charge(flops);                                                                             \
    if (charged == Charged::yes) return;                                                                               \
    static auto* const next = real<void(double)>(#name);                                                               \
    const Time begin = simgrid_now();                                                                                  \
    next(amount);                                                                                                      \
    if (charged == Charged::by_simgrid) execution().executed(rank_table().self(), begin);                              \
  }
SMPI_WORK(smpi_execute_flops, amount)
SMPI_WORK(smpi_execute_flops_benched, amount)
SMPI_WORK(smpi_execute, host_flops(amount))
SMPI_WORK(smpi_execute_benched, amount* speed_here())

/// Is the loop's body to run once more? As long as its own condition holds: SMPI asks then only.
LIBC(int, smpi_sample_cond, int, const char*, const char*, int, double, int) { return 1; }
LIBC(void, smpi_sample_iter, int, const char*, const char*) {}
LIBC(int, smpi_sample_exit, int, const char*, const char*, int) { return 0; }

/// SMPI would ask the kernel for this thread's CPU time where each MPI call begins and ends, a sixth of a run with many
/// calls. Nobody wants it: neither computation nor loops are measured. (Ranks' data are not SMPI's to switch, either.)
LIBC(void, smpi_bench_begin, void) {}
LIBC(void, smpi_bench_end, void) {}

} // namespace hypermon
