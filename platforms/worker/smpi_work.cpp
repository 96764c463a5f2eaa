// SPDX-License-Identifier: BSD-3-Clause
// SMPI's macros for programs that state the cost of their own code. Flops (SMPI_SAMPLE_FLOPS, SMPI_SAMPLE_DELAY) are
// charged like hypermon_charge, on a CPU with the speed of SimGrid's host. SMPI_SAMPLE_LOCAL and SMPI_SAMPLE_GLOBAL
// would measure some iterations of a loop on the host and skip the others; here all iterations run, and their cost
// follows from program.compute, as for all code.
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"
#include "sw/os/program_observer.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <xbt/config.hpp>
#include <xbt/parse_units.hpp>

namespace hypermon {
namespace {

double speed_here() { return simgrid::s4u::this_actor::get_host()->get_speed(); }

enum class Charged : std::uint8_t { yes, by_simgrid, not_of_program };

/// Charges the flops, or tells that SimGrid must execute them.
Charged charge(double flops) {
  if (!ranks().current() || rank_table().self().call.function != nullptr) return Charged::not_of_program;
  RankState& self = rank_table().self();
  catch_up(self);
  const double seconds = flops / speed_here();
  execution().check_reach(seconds);
  const Time nominal = Time::from_seconds_rounded(seconds);
  if (mpi_layer().has_own_library) return execution().charge(self, nominal), Charged::yes;
  if (!execution().counts(self, nominal)) return Charged::yes;
  for (ProgramObserver* observer : execution().program_observers(self)) observer->compute(self, nominal);
  if (!self.processor.task) return Charged::by_simgrid;
  self.computation.works_for = WorkOf::program;
  return execution().take(self, nominal), Charged::yes; // SimGrid does not know the other processes on the processor
}

/// Flops for a time in seconds on the host that SMPI assumes: 20 kflop/s by default.
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

/// The loop's body always runs: SMPI calls this only while the loop's own condition holds.
LIBC(int, smpi_sample_cond, int, const char*, const char*, int, double, int) { return 1; }
LIBC(void, smpi_sample_iter, int, const char*, const char*) {}
LIBC(int, smpi_sample_exit, int, const char*, const char*, int) { return 0; }

/// SMPI would read this thread's CPU time from the kernel at the begin and end of each MPI call, which takes a sixth of
/// a run with many calls. The time is not needed, as neither computation nor loops are measured. (SMPI does not switch
/// the ranks' data either.)
LIBC(void, smpi_bench_begin, void) {}
LIBC(void, smpi_bench_end, void) {}

} // namespace hypermon
