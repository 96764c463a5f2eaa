// SPDX-License-Identifier: BSD-3-Clause
// Results of a run with TAU.
#include "base/run_keys.hpp"
#include "sw/monitors/report.hpp"
#include "sw/monitors/tau/result_keys.hpp"
#include "sw/monitors/tau/tau.hpp"
#include "sw/monitors/tau/transports.hpp"

#include <algorithm>

namespace hypermon::tau {

void TauMonitor::report(Results& results, Time begin, Time end) const {
  ResultRecords ranks(tau_keys.ranks.list);
  ResultRecords unstopped(tau_keys.unstopped.list);
  std::uint64_t unstopped_timers = 0;
  std::string first_unstopped;
  std::uint64_t timers = 0;
  std::uint64_t looks = 0;
  std::uint64_t throttled = 0;
  std::uint64_t dumps = 0;
  std::uint64_t finals = 0;
  Time measuring;
  Time clock_wait;
  Time formatting;
  Time transporting;
  Time longest_dump;
  double dilation = 0;
  for (std::size_t r = 0; r < measurement_->processes().size(); ++r) {
    const Process* const one = measurement_->processes()[r].get();
    if (one == nullptr) continue;
    const RankState& rank = rank_table().all()[r];
    const Time elapsed = rank.section.end - rank.section.begin;
    const Time own = one->measuring;
    const double alone = elapsed > own ? own.seconds() / (elapsed - own).seconds() : 0;
    ranks.add({tau_keys.ranks.rank(r), tau_keys.ranks.timers(one->timers),
               tau_keys.ranks.throttled(one->profile.throttled()), tau_keys.ranks.dumps(one->dumps),
               tau_keys.ranks.measuring_s(one->measuring), tau_keys.ranks.formatting_s(one->formatting),
               tau_keys.ranks.transport_s(one->transporting), tau_keys.ranks.open_loop_dilation(alone)});
    for (const std::string& routine : one->unstopped) {
      unstopped.add({tau_keys.unstopped.rank(r), tau_keys.unstopped.routine(routine)});
      if (unstopped_timers++ == 0) first_unstopped = '"' + routine + "\" of rank " + std::to_string(r);
    }
    timers += one->timers;
    looks += one->looks;
    throttled += one->profile.throttled();
    dumps += one->dumps;
    finals += one->ended ? 1 : 0;
    measuring += one->measuring;
    clock_wait += one->clock_wait;
    formatting += one->formatting;
    transporting += one->transporting;
    longest_dump = std::max(longest_dump, one->longest_dump);
    dilation = std::max(dilation, alone);
  }
  if (unstopped_timers > 0)
    results.append(run_keys.warnings, std::to_string(unstopped_timers) +
                                          " timers still ran at MPI_Finalize, as TAU would warn: first " +
                                          first_unstopped);
  const Ledger ledger = log_.ledger();
  results.set(reported_keys.logged_bytes, ledger.delivered.units);
  results.set(ledger_values(ledger));
  ResultRecords system_calls(tau_keys.system_calls.list);
  if (socket_calls_) socket_calls_->calls().add_to(system_calls);
  if (transport_) transport_->add_system_calls(system_calls);
  results.set({tau_keys.transport(word(transport_of(spec_))), tau_keys.profiles("profiles"), tau_keys.timers(timers),
               tau_keys.looks(looks), tau_keys.throttled(throttled), tau_keys.dumps(dumps),
               tau_keys.final_profiles(finals), tau_keys.read_again(log_.read_again()), tau_keys.measuring_s(measuring),
               tau_keys.clock_wait_s(clock_wait), tau_keys.formatting_s(formatting), tau_keys.transport_s(transporting),
               tau_keys.longest_dump_s(longest_dump), tau_keys.open_loop_dilation(dilation), std::move(unstopped),
               std::move(ranks), std::move(system_calls)});
  results.set(values_of(reported_keys.latency_us, log_.age()));
  if (ledger.delivered.events > 0)
    results.set(values_of(reported_keys.timestamp_error_us, log_.timestamp_error()));
  else
    results.set(reported_keys.timestamp_error_us.group.null());
  results.set(reported_keys.causality_violations, 0);
  if (transport_) transport_->report(results, begin, end);
}

} // namespace hypermon::tau
