// SPDX-License-Identifier: BSD-3-Clause
// What a run's result says of TAU.
#include "sw/monitors/report.hpp"
#include "sw/monitors/tau/choice_of_transport.hpp"
#include "sw/monitors/tau/tau.hpp"

#include <algorithm>

namespace hypermon::tau {

void TauMonitor::report(Json& result, Time begin, Time end) const {
  Json ranks = Json::array();
  Json unstopped = Json::array();
  std::uint64_t timers = 0;
  std::uint64_t looks = 0;
  std::uint64_t throttled = 0;
  std::uint64_t dumps = 0;
  std::uint64_t finals = 0;
  Time measuring;
  Time formatting;
  Time transporting;
  Time longest_dump;
  double dilation = 0;
  for (std::size_t r = 0; r < measurement_->processes().size(); ++r) {
    const Process* const one = measurement_->processes()[r].get();
    if (one == nullptr) continue;
    const RankState& rank = rank_table().all()[r];
    const Time elapsed = rank.end - rank.begin;
    const Time own = one->measuring;
    const double alone = elapsed > own ? own.seconds() / (elapsed - own).seconds() : 0;
    ranks.push_back({{"rank", r},
                     {"timers", one->timers},
                     {"throttled", one->profile.throttled()},
                     {"dumps", one->dumps},
                     {"measuring_s", one->measuring.seconds()},
                     {"formatting_s", one->formatting.seconds()},
                     {"transport_s", one->transporting.seconds()},
                     {"open_loop_dilation", alone}});
    for (const std::string& routine : one->unstopped) unstopped.push_back({{"rank", r}, {"routine", routine}});
    timers += one->timers;
    looks += one->looks;
    throttled += one->profile.throttled();
    dumps += one->dumps;
    finals += one->ended ? 1 : 0;
    measuring += one->measuring;
    formatting += one->formatting;
    transporting += one->transporting;
    longest_dump = std::max(longest_dump, one->longest_dump);
    dilation = std::max(dilation, alone);
  }
  if (!unstopped.empty()) {
    const Json& first = unstopped[0];
    result["warnings"].push_back(std::to_string(unstopped.size()) +
                                 " timers still ran at MPI_Finalize, as TAU would warn: first \"" +
                                 first["routine"].get<std::string>() + "\" of rank " + first["rank"].dump());
  }
  const Ledger ledger = log_.ledger();
  result["logged_bytes"] = ledger.delivered.units;
  result["ledger"] = to_json(ledger);
  result["monitor"] = {{"transport", word(transport_of(spec_))},
                       {"profiles", "profiles"},
                       {"timers", timers},
                       {"looks", looks},
                       {"throttled", throttled},
                       {"dumps", dumps},
                       {"final_profiles", finals},
                       {"read_again", log_.read_again()},
                       {"measuring_s", measuring.seconds()},
                       {"formatting_s", formatting.seconds()},
                       {"transport_s", transporting.seconds()},
                       {"longest_dump_s", longest_dump.seconds()},
                       {"open_loop_dilation", dilation},
                       {"unstopped", std::move(unstopped)},
                       {"ranks", std::move(ranks)}};
  Json& system_calls = result["monitor"]["system_calls"] = Json::array();
  if (socket_calls_) socket_calls_->calls().add_to(system_calls);
  result["latency_us"] = latency_to_json(log_.age());
  result["timestamp_error_us"] = ledger.delivered.events > 0 ? to_json(log_.timestamp_error()) : Json();
  result["causality_violations"] = 0;
  if (transport_) transport_->report(result, begin, end);
}

} // namespace hypermon::tau
