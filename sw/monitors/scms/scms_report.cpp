// SPDX-License-Identifier: BSD-3-Clause
// What a run of SCMS/RMS says of itself.
#include "hw/machine/computers.hpp"
#include "sw/monitors/scms/scms.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hypermon::scms {
namespace {

constexpr std::array kind_names{"request", "reply", "push", "pull", "control"}; // by Kind

Json seconds(const std::optional<Time>& time) { return time ? Json(time->seconds()) : Json(); }

template <class Numbers> std::uint64_t sum(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

Json by_kind(const std::array<std::uint64_t, kinds>& numbers) {
  Json json;
  for (std::size_t k = 0; k < kinds; ++k) json[kind_names[k]] = numbers[k];
  return json;
}

void add(Traffic& sum, const Traffic& more) {
  for (std::size_t k = 0; k < kinds; ++k) {
    sum.messages[k] += more.messages[k];
    sum.bytes[k] += more.bytes[k];
  }
  sum.cpu += more.cpu;
}

Json traffic_json(const Traffic& traffic) {
  return {{"messages", sum(traffic.messages)}, {"bytes", sum(traffic.bytes)}, {"cpu_s", traffic.cpu.seconds()}};
}

std::string name_of(const Tree& tree, Peer agent) {
  return tree.is_cma(agent) ? "CMA of node " + std::to_string(index(agent))
                            : "SMA " + std::to_string(index(agent) - tree.nodes());
}

} // namespace

Json ScmsMonitor::tree_report() const {
  const Tree& tree = design_.tree;
  const auto number = [&](Peer sma) { return index(sma) - tree.nodes(); };
  Json smas = Json::array();
  Json cmas = Json::array();
  for (std::uint32_t a = 0; a < tree.agents(); ++a) {
    const Peer agent{a};
    const auto parent = tree.parent(agent);
    Json entry;
    if (tree.is_cma(agent)) {
      entry = {{"node", a}, {"sma", number(*parent)}};
    } else {
      entry = {{"number", number(agent)},
               {"place", Places::text(wiring_->place(agent))},
               {"parent", parent ? Json(number(*parent)) : Json()},
               {"level", tree.level(agent)},
               {"children", tree.children(agent).size()},
               {"nodes", tree.below(agent)->size()},
               {"live_nodes", agents_[a]->live()},
               {"longest_queue", agents_[a]->longest_queue()}};
    }
    entry.update(traffic_json(wiring_->traffic(agent)));
    entry["incarnations"] = agents_[a]->incarnations();
    entry["alive"] = agents_[a]->alive();
    (tree.is_cma(agent) ? cmas : smas).push_back(std::move(entry));
  }
  return {{"smas", std::move(smas)}, {"cmas", std::move(cmas)}};
}

Json ScmsMonitor::levels_report() const {
  struct Level {
    std::uint64_t agents = 0;
    Traffic traffic;
    Time busiest;
  };
  std::map<std::pair<std::uint32_t, bool>, Level> levels; // SMAs of a level before its CMAs
  for (std::uint32_t a = 0; a < design_.tree.agents(); ++a) {
    Level& level = levels[{design_.tree.level(Peer{a}), design_.tree.is_cma(Peer{a})}];
    ++level.agents;
    add(level.traffic, wiring_->traffic(Peer{a}));
    level.busiest = std::max(level.busiest, wiring_->traffic(Peer{a}).cpu);
  }
  Json json = Json::array();
  for (const auto& [key, level] : levels) {
    Json entry = {{"level", key.first}, {"kind", key.second ? "cma" : "sma"}, {"agents", level.agents}};
    entry.update(traffic_json(level.traffic));
    entry["busiest_cpu_s"] = level.busiest.seconds();
    json.push_back(std::move(entry));
  }
  return json;
}

Json ScmsMonitor::overload_report() const {
  std::optional<Time> first;
  Json where;
  std::uint64_t skipped = 0;
  std::uint64_t dropped = 0;
  std::uint64_t late = 0;
  std::size_t longest = 0;
  Json longest_at;
  Json longest_where;
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
      longest_at = agent.longest_at().seconds();
      longest_where = name_of(design_.tree, Peer{a});
    }
  }
  return {{"first_s", seconds(first)},
          {"first_at", std::move(where)},
          {"rounds_skipped", skipped},
          {"dropped_messages", dropped},
          {"late_messages", late},
          {"longest_queue", longest},
          {"longest_queue_s", std::move(longest_at)},
          {"longest_queue_at", std::move(longest_where)}};
}

Json ScmsMonitor::failures_report() const {
  Json json = Json::array();
  for (const Failure& failure : failures_) {
    const Peer first = mortal(failure) == Mortals::sma ? design_.tree.sma(failure.number) : Peer{failure.number};
    json.push_back({{"failure", failure.text},
                    {"at_s", failure.begin.seconds()},
                    {"agents", victims(failure).size()},
                    {"detected_s", seconds(books_->buried_after(first, failure.begin))},
                    {"back_s", seconds(books_->joined_after(first, failure.end))}});
  }
  return json;
}

void ScmsMonitor::report(Json& result, Time, Time) const {
  AgentCounts counts;
  Traffic agents;
  for (std::uint32_t a = 0; a < design_.tree.agents(); ++a) {
    counts += agents_[a]->counts();
    add(agents, wiring_->traffic(Peer{a}));
  }
  result["logged_bytes"] = sum(agents.bytes);
  result["ledger"] = to_json(site_->samples().ledger());
  result["monitor"] = {{"root", Places::text(wiring_->place(design_.tree.root()))},
                       {"smas", design_.tree.smas()},
                       {"depth", design_.tree.height(design_.tree.root())},
                       {"live_nodes", agents_[index(design_.tree.root())]->live()},
                       {"messages", by_kind(agents.messages)},
                       {"bytes", by_kind(agents.bytes)},
                       {"cpu_s", agents.cpu.seconds()},
                       {"values_read", counts.values_read},
                       {"values_filtered", counts.values_filtered},
                       {"rounds_incomplete", counts.rounds_incomplete},
                       {"requests", counts.requests},
                       {"cached_values", counts.cached_answers},
                       {"asked_nodes", counts.asked_nodes},
                       {"merged_nodes", counts.joined_nodes},
                       {"unanswered_nodes", counts.timeouts},
                       {"late_nodes", counts.late_answers},
                       {"overload", overload_report()},
                       {"failures", failures_report()},
                       {"levels", levels_report()},
                       {"tree", tree_report()},
                       {"plugins", plugins_->report()},
                       {"plugin_changes", clients_.report_changes()},
                       {"plugins", plugins_->report()},
                       {"clients", clients_.report()}};
  result["latency_us"] = nullptr; // sampling.age_us has it
  result["timestamp_error_us"] = nullptr;
  result["causality_violations"] = 0;
}

} // namespace hypermon::scms
