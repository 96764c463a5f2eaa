// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/computers.hpp"
#include "sw/monitors/supermon/deployment.hpp"
#include "sw/monitors/supermon/monhole/monhole_report.hpp"
#include "sw/monitors/supermon/result_keys.hpp"

#include <algorithm>

namespace hypermon::supermon {
namespace {

void report_traffic(Results& results, const TrafficKeys& keys, const Traffic& traffic, std::size_t processes) {
  results.set(
      {keys.processes(processes), keys.messages(traffic.messages), keys.bytes(traffic.bytes), keys.cpu_s(traffic.cpu)});
}

} // namespace

Traffic Deployment::traffic_of(std::uint32_t first, std::uint32_t end) const {
  Traffic sum;
  for (std::uint32_t p = first; p < end; ++p) sum += wiring_->traffic(Peer{p});
  return sum;
}

std::uint64_t Deployment::bytes() const { return traffic_of(0, static_cast<std::uint32_t>(runners_.size())).bytes; }

const Sink& Deployment::client(std::uint32_t number) const {
  return dynamic_cast<const Sink&>(*runners_[design_.tree.daemons() + number]->process());
}

ConcentratorCounts Deployment::counts() const {
  ConcentratorCounts all = of_the_dead_;
  for (const auto& runner : runners_)
    if (const auto* supermon = dynamic_cast<const Concentrator*>(runner->process())) all += supermon->counts();
  return all;
}

ResultRecords Deployment::client_records() const {
  const auto& keys = supermon_keys.clients;
  ResultRecords all(keys.list);
  for (std::uint32_t c = 0; c < clients_.size(); ++c) {
    const SinkCounts& counts = client(c).counts();
    const std::vector<Gap> gaps = client(c).gaps();
    Time longest;
    for (const Gap& gap : gaps)
      if (gap.end != Time::never()) longest = std::max(longest, gap.end - gap.begin);
    const Traffic& traffic = wiring_->traffic(Peer{design_.tree.daemons() + c});
    const bool any = counts.answers > 0;
    all.add(
        {keys.place(Places::text(clients_[c].place)), keys.queries(counts.queries), keys.answers(counts.answers),
         keys.missed_queries(counts.missed), keys.unanswered(counts.unanswered), keys.late_answers(counts.late),
         keys.samples(counts.samples), keys.combined_nodes(counts.combined), keys.missing_nodes(counts.missing),
         keys.answer_bytes(counts.bytes), keys.first_s(counts.first),
         keys.mean_s(any ? std::optional(counts.sum.seconds() / static_cast<double>(counts.answers)) : std::nullopt),
         keys.longest_s(any ? std::optional(counts.longest) : std::nullopt), keys.gaps(gaps.size()),
         keys.gaps_under_way(client(c).gaps_under_way()),
         keys.longest_gap_s(gaps.size() > client(c).gaps_under_way() ? std::optional(longest) : std::nullopt),
         keys.cpu_s(traffic.cpu)});
  }
  return all;
}

ResultRecords Deployment::failure_records() const {
  const auto& keys = supermon_keys.failures;
  ResultRecords all(keys.list);
  for (const Failure& failure : failures_) {
    const auto dead = victims(failure, design_.tree, places_);
    NodeRuns nodes;
    std::optional<Time> detected;
    for (const Peer daemon : dead) {
      nodes = nodes.united(design_.tree.below(daemon));
      const auto date = surroundings_->buried_after(daemon, failure.begin);
      if (date && (!detected || *date < *detected)) detected = date;
    }
    // Counts gaps of these nodes that begin between the failure and its end plus the longest time until it is noticed.
    const Time until = failure.end + design_.retry + (design_.tree.height(design_.tree.root()) + 1) * design_.timeout;
    std::uint64_t gaps = 0;
    std::optional<Time> longest;
    for (std::uint32_t c = 0; c < clients_.size(); ++c)
      for (const Gap& gap : client(c).gaps()) {
        if (!nodes.contains(gap.node) || gap.begin < failure.begin || gap.begin > until) continue;
        ++gaps;
        if (gap.end != Time::never()) longest = std::max(longest.value_or(Time{}), gap.end - gap.begin);
      }
    all.add({keys.failure(failure.text), keys.at_s(failure.begin), keys.daemons(dead.size()), keys.nodes(nodes.count()),
             keys.detected_s(detected), keys.gaps(gaps), keys.longest_gap_s(longest)});
  }
  return all;
}

void Deployment::report_monholes(Results& results) const {
  std::vector<const MonholeBuffer*> all;
  for (const MonholeBuffer& monhole : surroundings_->monholes()) all.push_back(&monhole);
  supermon::report(results, all);
}

void Deployment::report(Results& results) const {
  const Tree& tree = design_.tree;
  const auto queue = std::max_element(runners_.begin(), runners_.end(), [](const auto& a, const auto& b) {
    return a->longest_queue() < b->longest_queue();
  });
  Time busiest;
  for (std::uint32_t n = 0; n < tree.nodes(); ++n) busiest = std::max(busiest, wiring_->traffic(Peer{n}).cpu);
  std::uint64_t incarnations = 0;
  for (std::uint32_t d = 0; d < tree.daemons(); ++d) incarnations += runners_[d]->incarnations();
  const ConcentratorCounts counts = this->counts();
  const SupermonKeys& keys = supermon_keys;
  results.set({keys.root(Places::text(places_[index(tree.root())])), keys.depth(tree.height(tree.root()))});
  report_traffic(results, keys.mons, traffic_of(0, tree.nodes()), tree.nodes());
  report_traffic(results, keys.supermons, traffic_of(tree.nodes(), tree.daemons()), tree.supermons());
  const bool any_waited = (*queue)->longest_queue() > 0;
  results.set({keys.busiest_mon_cpu_s(busiest), keys.longest_queue((*queue)->longest_queue()),
               keys.longest_queue_s(any_waited ? std::optional((*queue)->longest_at()) : std::nullopt),
               keys.queries(counts.queries), keys.timeouts(counts.timeouts), keys.burials(counts.burials),
               keys.adoptions(counts.adoptions), keys.late_answers(counts.late),
               keys.bytes_saved(surroundings_->bytes_saved()), keys.incarnations(incarnations), failure_records(),
               client_records()});
}

} // namespace hypermon::supermon
