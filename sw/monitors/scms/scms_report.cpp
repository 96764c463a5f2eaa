// SPDX-License-Identifier: BSD-3-Clause
// Results of a run with SCMS/RMS.
#include "hw/machine/computers.hpp"
#include "sw/monitors/report.hpp"
#include "sw/monitors/scms/result_keys.hpp"
#include "sw/monitors/scms/scms.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hypermon::scms {
namespace {

template <class Numbers> std::uint64_t sum(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

void add(Traffic& sum, const Traffic& more) {
  for (std::size_t k = 0; k < kinds; ++k) {
    sum.messages[k] += more.messages[k];
    sum.bytes[k] += more.bytes[k];
  }
  sum.cpu += more.cpu;
}

std::string name_of(const Tree& tree, Peer agent) {
  return tree.is_cma(agent) ? "CMA of node " + std::to_string(index(agent))
                            : "SMA " + std::to_string(index(agent) - tree.nodes());
}

} // namespace

void ScmsMonitor::report_tree(Results& results) const {
  const Tree& tree = design_.tree;
  const auto number = [&](Peer sma) { return index(sma) - tree.nodes(); };
  const auto& of_sma = scms_keys.tree.smas;
  const auto& of_cma = scms_keys.tree.cmas;
  ResultRecords smas(of_sma.list);
  ResultRecords cmas(of_cma.list);
  for (std::uint32_t a = 0; a < tree.agents(); ++a) {
    const Peer agent{a};
    const auto parent = tree.parent(agent);
    const Traffic& traffic = wiring_->traffic(agent);
    if (tree.is_cma(agent)) {
      cmas.add({of_cma.node(a), of_cma.sma(number(*parent)), of_cma.messages(sum(traffic.messages)),
                of_cma.bytes(sum(traffic.bytes)), of_cma.cpu_s(traffic.cpu),
                of_cma.incarnations(agents_[a]->incarnations()), of_cma.alive(agents_[a]->alive())});
    } else {
      smas.add({of_sma.number(number(agent)), of_sma.place(Places::text(wiring_->place(agent))),
                of_sma.parent(parent ? std::optional(number(*parent)) : std::nullopt), of_sma.level(tree.level(agent)),
                of_sma.children(tree.children(agent).size()), of_sma.nodes(tree.below(agent)->size()),
                of_sma.live_nodes(agents_[a]->live()), of_sma.longest_queue(agents_[a]->longest_queue()),
                of_sma.messages(sum(traffic.messages)), of_sma.bytes(sum(traffic.bytes)), of_sma.cpu_s(traffic.cpu),
                of_sma.incarnations(agents_[a]->incarnations()), of_sma.alive(agents_[a]->alive())});
    }
  }
  results.set({std::move(smas), std::move(cmas)});
}

ResultRecords ScmsMonitor::level_records() const {
  struct Level {
    std::uint64_t agents = 0;
    Traffic traffic;
    Time busiest;
  };
  std::map<std::pair<std::uint32_t, bool>, Level> levels; // SMAs of a level precede its CMAs
  for (std::uint32_t a = 0; a < design_.tree.agents(); ++a) {
    Level& level = levels[{design_.tree.level(Peer{a}), design_.tree.is_cma(Peer{a})}];
    ++level.agents;
    add(level.traffic, wiring_->traffic(Peer{a}));
    level.busiest = std::max(level.busiest, wiring_->traffic(Peer{a}).cpu);
  }
  const auto& keys = scms_keys.levels;
  ResultRecords records(keys.list);
  for (const auto& [place, level] : levels)
    records.add({keys.level(place.first), keys.kind(place.second ? "cma" : "sma"), keys.agents(level.agents),
                 keys.messages(sum(level.traffic.messages)), keys.bytes(sum(level.traffic.bytes)),
                 keys.cpu_s(level.traffic.cpu), keys.busiest_cpu_s(level.busiest)});
  return records;
}

ResultValues ScmsMonitor::overload_values() const {
  std::optional<Time> first;
  std::optional<std::string> where;
  std::uint64_t skipped = 0;
  std::uint64_t dropped = 0;
  std::uint64_t late = 0;
  std::size_t longest = 0;
  std::optional<Time> longest_at;
  std::optional<std::string> longest_where;
  for (std::uint32_t a = 0; a < design_.tree.agents(); ++a) {
    const AgentDaemon& agent = *agents_[a];
    const AgentCounts counts = agent.counts();
    skipped += counts.rounds_skipped;
    dropped += agent.dropped();
    late += agent.late();
    for (const auto& date : {counts.first_skip, agent.first_drop(), agent.first_late()})
      if (date && (!first || *date < *first)) {
        first = date;
        where = name_of(design_.tree, Peer{a});
      }
    if (agent.longest_queue() > longest) {
      longest = agent.longest_queue();
      longest_at = agent.longest_at();
      longest_where = name_of(design_.tree, Peer{a});
    }
  }
  const auto& keys = scms_keys.overload;
  return {keys.first_s(first),
          keys.first_at(where),
          keys.rounds_skipped(skipped),
          keys.dropped_messages(dropped),
          keys.late_messages(late),
          keys.longest_queue(longest),
          keys.longest_queue_s(longest_at),
          keys.longest_queue_at(longest_where)};
}

ResultRecords ScmsMonitor::failure_records() const {
  const auto& keys = scms_keys.failures;
  ResultRecords records(keys.list);
  for (const Failure& failure : failures_) {
    const Peer first = mortal(failure) == Mortals::sma ? design_.tree.sma(failure.number) : Peer{failure.number};
    records.add({keys.failure(failure.text), keys.at_s(failure.begin), keys.agents(victims(failure).size()),
                 keys.detected_s(surroundings_->buried_after(first, failure.begin)),
                 keys.back_s(surroundings_->joined_after(first, failure.end))});
  }
  return records;
}

void ScmsMonitor::report(Results& results, Time, Time) const {
  AgentCounts counts;
  Traffic agents;
  for (std::uint32_t a = 0; a < design_.tree.agents(); ++a) {
    counts += agents_[a]->counts();
    add(agents, wiring_->traffic(Peer{a}));
  }
  const ScmsKeys& keys = scms_keys;
  results.set(reported_keys.logged_bytes, sum(agents.bytes));
  results.set(ledger_values(site_->samples().ledger()));
  results.set({keys.root(Places::text(wiring_->place(design_.tree.root()))), keys.smas(design_.tree.smas()),
               keys.depth(design_.tree.height(design_.tree.root())),
               keys.live_nodes(agents_[index(design_.tree.root())]->live())});
  for (std::size_t k = 0; k < kinds; ++k) results.set(keys.messages[k], agents.messages[k]);
  for (std::size_t k = 0; k < kinds; ++k) results.set(keys.bytes[k], agents.bytes[k]);
  results.set({keys.cpu_s(agents.cpu), keys.values_read(counts.values_read),
               keys.values_filtered(counts.values_filtered), keys.rounds_incomplete(counts.rounds_incomplete),
               keys.requests(counts.requests), keys.cached_values(counts.cached_answers),
               keys.asked_nodes(counts.asked_nodes), keys.merged_nodes(counts.joined_nodes),
               keys.unanswered_nodes(counts.timeouts), keys.late_nodes(counts.late_answers)});
  results.set(overload_values());
  results.set({failure_records(), level_records()});
  report_tree(results);
  results.set({plugins_->report(), clients_.report_changes(), clients_.report()});
  results.set(values_without_events());
}

} // namespace hypermon::scms
