// SPDX-License-Identifier: BSD-3-Clause
#include "base/json_value.hpp"
#include "hw/machine/computers.hpp"
#include "sw/monitors/supermon/deployment.hpp"
#include "sw/monitors/supermon/monhole/monhole_report.hpp"

#include <algorithm>

namespace hypermon::supermon {
namespace {

Json seconds(const std::optional<Time>& time) { return time ? Json(time->seconds()) : Json(); }

Json traffic_json(const Traffic& traffic, std::size_t processes) {
  return {{"processes", processes},
          {"messages", traffic.messages},
          {"bytes", traffic.bytes},
          {"cpu_s", traffic.cpu.seconds()}};
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

Json Deployment::clients_report() const {
  Json all = Json::array();
  for (std::uint32_t c = 0; c < clients_.size(); ++c) {
    const SinkCounts& counts = client(c).counts();
    const std::vector<Gap> gaps = client(c).gaps();
    Time longest;
    for (const Gap& gap : gaps)
      if (gap.end != Time::never()) longest = std::max(longest, gap.end - gap.begin);
    const Traffic& traffic = wiring_->traffic(Peer{design_.tree.daemons() + c});
    const bool any = counts.answers > 0;
    all.push_back({{"place", Places::text(clients_[c].place)},
                   {"queries", counts.queries},
                   {"answers", counts.answers},
                   {"missed_queries", counts.missed},
                   {"unanswered", counts.unanswered},
                   {"late_answers", counts.late},
                   {"samples", counts.samples},
                   {"combined_nodes", counts.combined},
                   {"missing_nodes", counts.missing},
                   {"answer_bytes", counts.bytes},
                   {"first_s", seconds(counts.first)},
                   {"mean_s", any ? Json(counts.sum.seconds() / static_cast<double>(counts.answers)) : Json()},
                   {"longest_s", any ? Json(counts.longest.seconds()) : Json()},
                   {"gaps", gaps.size()},
                   {"gaps_under_way", client(c).gaps_under_way()},
                   {"longest_gap_s", gaps.size() > client(c).gaps_under_way() ? Json(longest.seconds()) : Json()},
                   {"cpu_s", traffic.cpu.seconds()}});
  }
  return all;
}

Json Deployment::failures_report() const {
  Json all = Json::array();
  for (const Failure& failure : failures_) {
    const auto dead = victims(failure, design_.tree, places_);
    NodeRuns nodes;
    std::optional<Time> detected;
    for (const Peer daemon : dead) {
      nodes = nodes.with(design_.tree.below(daemon));
      const auto date = books_->buried_after(daemon, failure.begin);
      if (date && (!detected || *date < *detected)) detected = date;
    }
    // Gaps of these nodes that begin from the failure on, until as long behind its end as it may take to be noticed.
    const Time until = failure.end + design_.retry + (design_.tree.height(design_.tree.root()) + 1) * design_.timeout;
    std::uint64_t gaps = 0;
    std::optional<Time> longest;
    for (std::uint32_t c = 0; c < clients_.size(); ++c)
      for (const Gap& gap : client(c).gaps()) {
        if (!nodes.contains(gap.node) || gap.begin < failure.begin || gap.begin > until) continue;
        ++gaps;
        if (gap.end != Time::never()) longest = std::max(longest.value_or(Time{}), gap.end - gap.begin);
      }
    all.push_back({{"failure", failure.text},
                   {"at_s", failure.begin.seconds()},
                   {"daemons", dead.size()},
                   {"nodes", nodes.count()},
                   {"detected_s", seconds(detected)},
                   {"gaps", gaps},
                   {"longest_gap_s", seconds(longest)}});
  }
  return all;
}

Json Deployment::monhole_report() const {
  std::vector<const MonholeBuffer*> all;
  for (const MonholeBuffer& monhole : books_->monholes()) all.push_back(&monhole);
  return to_json(all);
}

Json Deployment::report() const {
  const Tree& tree = design_.tree;
  const auto queue = std::max_element(runners_.begin(), runners_.end(), [](const auto& a, const auto& b) {
    return a->longest_queue() < b->longest_queue();
  });
  Time busiest;
  for (std::uint32_t n = 0; n < tree.nodes(); ++n) busiest = std::max(busiest, wiring_->traffic(Peer{n}).cpu);
  std::uint64_t incarnations = 0;
  for (std::uint32_t d = 0; d < tree.daemons(); ++d) incarnations += runners_[d]->incarnations();
  const ConcentratorCounts counts = this->counts();
  return {{"root", Places::text(places_[index(tree.root())])},
          {"depth", tree.height(tree.root())},
          {"mons", traffic_json(traffic_of(0, tree.nodes()), tree.nodes())},
          {"supermons", traffic_json(traffic_of(tree.nodes(), tree.daemons()), tree.supermons())},
          {"busiest_mon_cpu_s", busiest.seconds()},
          {"longest_queue", (*queue)->longest_queue()},
          {"longest_queue_s", (*queue)->longest_queue() > 0 ? Json((*queue)->longest_at().seconds()) : Json()},
          {"queries", counts.queries},
          {"timeouts", counts.timeouts},
          {"burials", counts.burials},
          {"adoptions", counts.adoptions},
          {"late_answers", counts.late},
          {"bytes_saved", books_->bytes_saved()},
          {"incarnations", incarnations},
          {"failures", failures_report()},
          {"clients", clients_report()}};
}

} // namespace hypermon::supermon
