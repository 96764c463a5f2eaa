// SPDX-License-Identifier: BSD-3-Clause
#include "tests/monitors/scms/core/world.hpp"

#include <algorithm>

namespace hypermon::scms::testing {
namespace {

std::uint64_t mixed(std::uint64_t x) { // splitmix64
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

} // namespace

std::int64_t Truth::at(NodeId node, Resource resource, Time when) const {
  const std::uint64_t own = mixed(seed_ ^ mixed(hypermon::index(node)) ^ static_cast<std::uint64_t>(resource));
  auto value = static_cast<std::int64_t>(own % 1000);
  if (step_ == Time::never()) return value;
  for (std::int64_t s = 1; s <= when / step_; ++s)
    value += static_cast<std::int64_t>(mixed(own + static_cast<std::uint64_t>(s)) % 4) / 2; // every second step
  return value;
}

Value Computers::read(NodeId node, Resource resource, Time now) {
  if (plugin_of(resource) != 1 || function_of(resource) >= functions_)
    return {.value = 0, .taken = now, .ticket = 0, .bytes = 1, .state = State::unknown};
  return {.value = truth_.at(node, resource, now), .taken = now, .ticket = 0, .bytes = 8, .state = State::ok};
}

void Computers::settle(std::uint64_t ticket, std::uint64_t& count) {
  ++count;
  if (!settled_.insert(ticket).second) ++settled_twice;
}

World::World(const Design& design, const Truth& truth, std::uint32_t functions, std::uint64_t seed,
             std::vector<NodeClock> clocks)
    : design_(design), computers_(truth, functions), clocks_(std::move(clocks)), random_(seed),
      processes_(design.tree.agents()) {
  for (std::uint32_t a = 0; a < design.tree.agents(); ++a) {
    processes_[a].agent = make_agent(design, Peer{a}, computers_, clock(Peer{a}));
    wake(Peer{a});
  }
}

void World::run_until(Time until) {
  while (!events_.empty() && events_.top().at <= until) {
    const Event event = events_.top();
    events_.pop();
    now_ = event.at;
    event.act();
  }
  now_ = until;
}

std::size_t World::ask(Peer sma, Request request) {
  const std::size_t client = asked_.size();
  request.id = 1 + client;
  asked_.push_back({.sma = sma, .request = request, .asked = now_, .rows = {}, .answered = {}, .live = {}});
  const Peer self{design_.tree.agents() + static_cast<std::uint32_t>(client)};
  send(self, sma, std::make_shared<const Message>(std::move(request)));
  return client;
}

void World::send(Peer from, Peer to, Parcel message) {
  ++messages_;
  bytes_ += static_cast<std::uint64_t>(bytes_of(*message, design_.costs));
  const Link link = std::minmax(from, to);
  if (const auto old = open_.find(link); old != open_.end()) {
    const std::uint32_t sender = from == link.first ? old->second.first : old->second.second;
    if (sender != incarnation(from)) tell_gone(to, from); // a message of a former incarnation
  }
  const auto opened = open_.try_emplace(link, incarnation(link.first), incarnation(link.second)).first->second;
  const std::uint32_t receiver = to == link.second ? opened.second : opened.first;
  Time& last = last_[{from, to}];
  last = std::max(last, now_ + draw(500_us)) + 1_ns;
  at(last, [=, this] { deliver(from, to, message, receiver); });
}

void World::deliver(Peer from, Peer to, const Parcel& message, std::uint32_t incarnation) {
  if (!design_.tree.is_agent(to)) return to_client(from, index(to) - design_.tree.agents(), message);
  Process& process = processes_[index(to)];
  if (!process.agent && process.is_silent) return;
  // the connection is unknown there
  if (!process.agent || process.incarnation != incarnation) return tell_gone(from, to);
  process.queue.push_back({from, message});
  go_on(to);
}

void World::tell_gone(Peer whom, Peer who) {
  open_.erase(std::minmax(whom, who));
  Time& last = last_[{who, whom}];
  last = std::max(last, now_ + draw(500_us)) + 1_ns;
  at(last, [=, this] {
    if (!design_.tree.is_agent(whom)) return to_client(who, index(whom) - design_.tree.agents(), nullptr);
    Process& process = processes_[index(whom)];
    if (!process.agent) return;
    process.queue.push_back({who, nullptr});
    go_on(whom);
  });
}

void World::go_on(Peer who) {
  Process& process = processes_[index(who)];
  if (!process.agent || process.is_busy) return;
  const std::uint32_t same = process.incarnation;
  const auto after = [&](Time work, std::function<void(Outbox&)> act) {
    process.is_busy = true;
    at(now_ + work, [=, this, &process] {
      if (!process.agent || process.incarnation != same) return;
      Outbox out;
      act(out);
      carry_out(who, out);
    });
  };
  if (process.agent->due() <= now_)
    return after(process.agent->work(), [this, &process](Outbox& out) { process.agent->act(now_, out); });
  if (process.queue.empty()) return wake(who);
  const Arrived arrived = process.queue.front();
  process.queue.pop_front();
  if (!arrived.message)
    return after({}, [=, this, &process](Outbox& out) { process.agent->gone(arrived.from, now_, out); });
  after(process.agent->work(*arrived.message),
        [=, this, &process](Outbox& out) { process.agent->receive(arrived.from, *arrived.message, now_, out); });
}

void World::carry_out(Peer who, const Outbox& out) {
  Process& process = processes_[index(who)];
  const std::uint32_t same = process.incarnation;
  Time when = now_;
  for (const Send& sent : out) {
    when += sent.cpu;
    at(when, [=, this, &process] {
      if (process.agent && process.incarnation == same) send(who, sent.to, sent.message);
    });
  }
  at(when, [=, this, &process] {
    if (!process.agent || process.incarnation != same) return;
    process.is_busy = false;
    go_on(who);
  });
}

void World::wake(Peer who) {
  const Time due = processes_[index(who)].agent->due();
  if (due != Time::never()) at(std::max(due, now_), [=, this] { go_on(who); });
}

void World::kill(Peer agent, Time duration, bool is_silent) {
  Process& process = processes_[index(agent)];
  if (!process.agent) return;
  process.agent.reset();
  process.is_silent = is_silent;
  process.is_busy = false;
  process.queue.clear();
  std::vector<Peer> others;
  for (const auto& [link, incarnations] : open_)
    if (link.first == agent || link.second == agent) others.push_back(link.first == agent ? link.second : link.first);
  for (const Peer other : others)
    if (!is_silent) tell_gone(other, agent);
  for (Asked& asked : asked_)
    if (asked.sma == agent && asked.finals == 0) asked.is_broken = true;
  at(now_ + duration, [=, this, &process] {
    ++process.incarnation;
    process.agent = make_agent(design_, agent, computers_, clock(agent), process.incarnation);
    process.is_busy = true;
    Outbox out;
    process.agent->restart(now_, out);
    carry_out(agent, out);
  });
}

void World::to_client(Peer /*from*/, std::size_t client, const Parcel& message) {
  Asked& asked = asked_[client];
  if (!message) {
    asked.is_broken = asked.is_broken || asked.finals == 0;
    return;
  }
  const auto& reply = std::get<Reply>(*message);
  asked.after_final += asked.finals > 0 ? 1 : 0;
  asked.finals += reply.is_last ? 1 : 0;
  asked.answered = now_;
  if (asked.request.verb == Verb::live) {
    asked.live = reply.rows.nodes;
    return;
  }
  for (std::size_t r = 0; r < reply.rows.nodes.size(); ++r) {
    const NodeId node = reply.rows.nodes[r];
    const auto values = reply.rows.row(r);
    const auto& wanted = *asked.request.nodes;
    const bool is_new = std::binary_search(wanted.begin(), wanted.end(), node) &&
                        asked.rows.emplace(node, std::vector(values.begin(), values.end())).second;
    asked.twice += is_new ? 0 : 1;
    for (const Value& value : values)
      if (value.ticket != 0) computers_.arrive(value.ticket, now_);
  }
}

AgentCounts World::counts() const {
  AgentCounts all;
  for (const Process& process : processes_)
    if (process.agent) all += process.agent->counts();
  return all;
}

} // namespace hypermon::scms::testing
