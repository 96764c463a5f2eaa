// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/concentrator.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::supermon {

ConcentratorCounts& ConcentratorCounts::operator+=(const ConcentratorCounts& more) {
  queries += more.queries;
  timeouts += more.timeouts;
  burials += more.burials;
  adoptions += more.adoptions;
  late += more.late;
  return *this;
}

Concentrator::Concentrator(const Design& design, Peer self, Surroundings& around, const NodeClock& clock)
    : design_(design), self_(self), around_(around), clock_(clock) {
  for (const Peer child : design.tree.children(self)) below_.emplace(child, Time::never());
}

void Concentrator::receive(Peer from, const Text& message, Time now, Outbox& out) {
  Document document(message);
  if (document.root().is_named("query")) return ask(from, read_query(document.root()), now, out);
  take(from, std::move(document), now, out);
}

void Concentrator::ask(Peer from, Query query, Time now, Outbox& out) {
  ++counts_.queries;
  const std::uint64_t number = next_++;
  Open open{query, from, clock_.after(now, design_.tree.height(self_) * design_.timeout), {}, {}};
  open.gathered.missing = query.nodes;
  query.id = number;
  for (const auto& [daemon, retry] : below_) {
    query.nodes = open.query.nodes.both(design_.tree.below(daemon));
    if (retry != Time::never() || query.nodes.empty()) continue;
    open.gathered.missing = open.gathered.missing.without(query.nodes);
    send(daemon, query, out);
    open.waiting.emplace(daemon, std::move(query.nodes));
  }
  answer_if_whole(open_.emplace(number, std::move(open)).first, out);
}

void Concentrator::take(Peer from, Document answer, Time now, Outbox& out) {
  const Sexpr message = answer.root();
  if (!message.is_named("answer")) throw SexprError(message.at(), "must be a query or an answer");
  hear(from, now);
  const auto open = open_.find(message[1].number());
  if (open == open_.end() || open->second.waiting.erase(from) == 0) {
    if (message.size() > 2) ++counts_.late; // otherwise the answer of a probe
    return lose(message, Loss::late);
  }
  if (message.has("missing"))
    open->second.gathered.missing = open->second.gathered.missing.united(NodeRuns::read(message.named("missing")));
  open->second.gathered.answers.push_back(std::move(answer));
  answer_if_whole(open, out);
}

void Concentrator::lose(const Sexpr& answer, Loss why) {
  each_sample(answer, [&](const Sexpr& sample) { around_.lose(serial_of(sample), why); });
}

void Concentrator::gone(Peer peer, Time now, Outbox& out) {
  if (below_.contains(peer)) return bury(peer, now, out);
  for (auto open = open_.begin(); open != open_.end();) {
    if (open->second.from != peer) {
      ++open;
      continue;
    }
    for (const Document& answer : open->second.gathered.answers) lose(answer.root(), Loss::died);
    open = open_.erase(open);
  }
}

void Concentrator::bury(Peer daemon, Time now, Outbox& out) {
  Time& retry = below_.at(daemon);
  const bool is_news = retry == Time::never();
  if (is_news) {
    retry = clock_.after(now, design_.retry);
    ++counts_.burials;
    around_.buried(self_, daemon, now);
    if (design_.repair && !design_.tree.is_mon(daemon))
      for (const Peer child : design_.tree.children(daemon))
        if (below_.emplace(child, Time::never()).second) ++counts_.adoptions;
  }
  for (auto open = open_.begin(); open != open_.end();) {
    const auto waiting = open->second.waiting.find(daemon);
    if (waiting == open->second.waiting.end()) {
      ++open;
      continue;
    }
    open->second.gathered.missing = open->second.gathered.missing.united(waiting->second);
    open->second.waiting.erase(waiting);
    open = answer_if_whole(open, out);
  }
}

void Concentrator::hear(Peer daemon, Time now) {
  const auto found = below_.find(daemon);
  if (found == below_.end() || found->second == Time::never()) return;
  found->second = Time::never();
  around_.found(self_, daemon, now);
  if (design_.tree.is_mon(daemon)) return;
  for (const Peer child : design_.tree.children(daemon)) release(child);
}

void Concentrator::release(Peer daemon) {
  const auto found = below_.find(daemon);
  if (found == below_.end()) return;
  const bool is_dead = found->second != Time::never();
  below_.erase(found);
  if (is_dead && !design_.tree.is_mon(daemon))
    for (const Peer child : design_.tree.children(daemon)) release(child);
}

std::map<std::uint64_t, Concentrator::Open>::iterator
Concentrator::answer_if_whole(std::map<std::uint64_t, Open>::iterator open, Outbox& out) {
  const Open& whole = open->second;
  if (!whole.waiting.empty()) return std::next(open);
  auto text = std::make_shared<const std::string>(compose(whole.query, whole.gathered, around_));
  const Time cpu = design_.costs.sending(text->size());
  out.push_back({whole.from, std::move(text), cpu});
  return open_.erase(open);
}

void Concentrator::send(Peer to, const Query& query, Outbox& out) const {
  auto text = std::make_shared<const std::string>(write(query));
  const Time cpu = design_.costs.sending(text->size());
  out.push_back({to, std::move(text), cpu});
}

Time Concentrator::due() const {
  Time first = open_.empty() ? Time::never() : open_.begin()->second.deadline;
  for (const auto& [daemon, retry] : below_) first = std::min(first, retry);
  return first;
}

void Concentrator::act(Time now, Outbox& out) {
  while (!open_.empty() && open_.begin()->second.deadline <= now) {
    const Peer silent = open_.begin()->second.waiting.begin()->first;
    ++counts_.timeouts;
    if (below_.contains(silent)) {
      bury(silent, now, out);
    } else { // another supermon has taken the daemon back meanwhile
      Open& open = open_.begin()->second;
      open.gathered.missing = open.gathered.missing.united(open.waiting.begin()->second);
      open.waiting.erase(open.waiting.begin());
      answer_if_whole(open_.begin(), out);
    }
  }
  for (auto& [daemon, retry] : below_) {
    if (retry > now) continue;
    retry = clock_.after(now, design_.retry);
    send(daemon, {.id = next_++, .sink = 0, .nodes = {}, .counters = {}, .monhole = false}, out);
  }
}

void Concentrator::die(Time) {
  for (const auto& [number, open] : open_)
    for (const Document& answer : open.gathered.answers) lose(answer.root(), Loss::died);
}

} // namespace hypermon::supermon
