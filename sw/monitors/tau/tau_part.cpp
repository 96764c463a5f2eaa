// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/tau/choice_of_transport.hpp"
#include "sw/monitors/tau/control_params.hpp"
#include "sw/monitors/tau/ktau_params.hpp"
#include "sw/monitors/tau/losses.hpp"
#include "sw/monitors/tau/params.hpp"

namespace hypermon {
namespace {

/// Of all three monitors.
void check_tau(const Spec& spec) {
  if (!spec.monitor.starts_with("tau")) return;
  const auto& params = spec.get<TauParams>();
  if (2 * params.gettimeofday_us.number > params.timer_us.number)
    throw UserError("tau.gettimeofday_us = " + plain_number(params.gettimeofday_us.number) +
                    ": must be at most half of tau.timer_us = " + plain_number(params.timer_us.number));
  (void)tau::transport_of(spec); // what contradicts
}

ResultKeys tau_results() {
  return {
      {"monitor.transport", "", "tau: how profiles left while the program ran: none, file, monhole.", result::text},
      {"monitor.profiles", "", "tau: the folder of the processes' last profiles, in the run's folder.", result::text},
      {"monitor.timers", "", "tau: that were started, of all processes."},
      {"monitor.looks", "", "tau: at timers that were switched off, instead of starting them."},
      {"monitor.throttled", "", "tau: timers that were switched off, each process's own."},
      {"monitor.dumps", "profiles", "tau: handed over while the program ran."},
      {"monitor.final_profiles", "profiles", "tau: written at MPI_Finalize."},
      {"monitor.read_again", "profiles", "tau: that a consumer read though they had arrived before."},
      {"monitor.measuring_s", "s", "tau: CPU time of timers, of all processes."},
      {"monitor.formatting_s", "s", "tau: that processes took to make profiles into text, the last ones too."},
      {"monitor.transport_s", "s", "tau: that processes were in the transport's calls, of the last ones too."},
      {"monitor.longest_dump_s", "s", "tau: from taking a profile until its process went on."},
      {"monitor.open_loop_dilation", "",
       "tau: the most of any process: CPU time of its timers, by what else it took; as if nobody waited for it.",
       result::real},
      {"monitor.system_calls[].call", "",
       "tau: of processes, by name: of files; of messages, if ktau.messages has them go over sockets.", result::text},
      {"monitor.system_calls[].calls", "calls", "tau: made by all processes."},
      {"monitor.system_calls[].time_s", "s", "tau: that all processes were in them."},
      {"monitor.system_calls[].longest_ms", "ms", "tau: the longest; of messages: of an MPI call."},
      {"monitor.unstopped[].rank", "", "tau: of a timer that still ran at MPI_Finalize."},
      {"monitor.unstopped[].routine", "", "tau: its name.", result::text},
      {"monitor.ranks[].rank", "", "tau: in MPI_COMM_WORLD."},
      {"monitor.ranks[].timers", "", "tau: that it started."},
      {"monitor.ranks[].throttled", "", "tau: of its timers, switched off."},
      {"monitor.ranks[].dumps", "profiles", "tau: that it handed over while it ran."},
      {"monitor.ranks[].measuring_s", "s", "tau: CPU time of its timers."},
      {"monitor.ranks[].formatting_s", "s", "tau: that it took to make profiles into text."},
      {"monitor.ranks[].transport_s", "s", "tau: that it was in the transport's calls."},
      {"monitor.ranks[].open_loop_dilation", "", "tau: CPU time of its timers, by what else it took.", result::real}};
}

} // namespace

Part tau_part() {
  return {
      .kind = Part::Kind::monitor,
      .name = "tau",
      .sections = {section<TauParams>("tau", "TAU's timers, their clock, and the dumps of profiles."),
                   section<KtauParams>("ktau", "System calls as KTAU, a kernel that measures them, attributes them."),
                   section<TauControlParams>("tau_control",
                                             "TAU over Supermon: a client that limits the measurement's overhead.")},
      .check = check_tau,
      .results = tau_results(),
      .monitor = {.ledger_unit = "bytes",
                  .losses = tau::losses_of_all_transports(),
                  .description = "TAU's profiles, written when the program ends"}};
}

} // namespace hypermon
