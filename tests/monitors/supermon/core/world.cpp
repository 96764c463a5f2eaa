// SPDX-License-Identifier: BSD-3-Clause
#include "tests/monitors/supermon/core/world.hpp"

#include <algorithm>

namespace hypermon::supermon::testing {

void Computers::sample(NodeId node, const Query& query, Time now, SexprWriter& out) {
  under_way.insert(++taken);
  out.open("sample").number(hypermon::index(node)).number(taken).integer(now.ps());
  if (!query.counters.empty()) out.open("kernel").open("date").integer(now.ps()).close().close();
  if (const auto found = written.find(node); query.monhole && found != written.end())
    out.open("monhole").as_it_is(found->second).close();
  out.close();
}

void Computers::put(NodeId node, const std::string& source, Text text, Time now) {
  SexprWriter entry;
  entry.open("entry").atom(source).number(1).integer(now.ps()).as_it_is(*text).close();
  written[node] = entry.take();
}

void Computers::arrive(std::uint32_t sink, const Sexpr& sample, Time now) {
  settle(sample[2].number());
  ++arrived;
  const NodeId node{static_cast<std::uint32_t>(sample[1].number())};
  wrong += seen_[sink].insert(node).second ? 0 : 1; // twice in one answer
  wrong += sample[3].integer() <= now.ps() ? 0 : 1;
  if (sample.has("kernel")) wrong += sample.named("kernel").named("date")[1].integer() == sample[3].integer() ? 0 : 1;
}

void Computers::lose(std::uint64_t serial, Loss why) {
  settle(serial);
  ++lost[why];
}

void Computers::answered(std::uint32_t sink, const NodeRuns& asked, const NodeRuns& missing, Time now) {
  // Every queried node is in the answer or reported as missing; none is both.
  NodeRuns seen;
  for (const NodeId node : seen_[sink]) seen = seen.united(NodeRuns::single(node));
  seen_[sink].clear();
  wrong += seen == asked.without(missing) ? 0 : 1;
  ended.push_back({sink, asked, missing, now});
}

World::World(const Design& design, std::uint64_t seed, std::vector<NodeClock> clocks)
    : design_(design), clocks_(std::move(clocks)), random_(seed) {
  for (std::uint32_t d = 0; d < design.tree.daemons(); ++d) processes_.emplace_back().process = make(Peer{d});
}

std::unique_ptr<Process> World::make(Peer daemon) {
  if (design_.tree.is_mon(daemon)) return std::make_unique<Mon>(design_, NodeId{index(daemon)}, computers_);
  const NodeClock clock = clocks_.empty() ? NodeClock() : clocks_[index(daemon)];
  return std::make_unique<Concentrator>(design_, daemon, computers_, clock);
}

std::uint32_t World::add_client(SinkSetting setting, const NodeClock& clock) {
  const auto number = static_cast<std::uint32_t>(processes_.size()) - design_.tree.daemons();
  processes_.emplace_back().process = std::make_unique<Sink>(design_, number, std::move(setting), computers_, clock);
  wake(Peer{design_.tree.daemons() + number});
  return number;
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

void World::send(Peer from, Peer to, Text message) {
  const Link link = std::minmax(from, to);
  if (const auto old = open_.find(link); old != open_.end()) {
    const std::uint32_t sender = from == link.first ? old->second.first : old->second.second;
    if (sender != processes_[index(from)].incarnation) tell_gone(to, from); // a message of a former incarnation
  }
  const auto opened =
      open_.try_emplace(link, processes_[index(link.first)].incarnation, processes_[index(link.second)].incarnation)
          .first->second;
  const std::uint32_t receiver = to == link.second ? opened.second : opened.first;
  Time& last = last_[{from, to}];
  last = std::max(last, now_ + draw(500_us)) + 1_ns;
  at(last, [=, this] { deliver(from, to, message, receiver); });
}

void World::deliver(Peer from, Peer to, const Text& message, std::uint32_t incarnation) {
  Running& running = processes_[index(to)];
  if (!running.process && running.is_silent) return;
  // the connection is unknown there
  if (!running.process || running.incarnation != incarnation) return tell_gone(from, to);
  running.queue.push_back({from, message});
  go_on(to);
}

void World::tell_gone(Peer whom, Peer who) {
  open_.erase(std::minmax(whom, who));
  Time& last = last_[{who, whom}];
  last = std::max(last, now_ + draw(500_us)) + 1_ns;
  at(last, [=, this] {
    Running& running = processes_[index(whom)];
    if (!running.process) return;
    running.queue.push_back({who, nullptr});
    go_on(whom);
  });
}

void World::go_on(Peer who) {
  Running& running = processes_[index(who)];
  if (!running.process || running.is_busy) return;
  const std::uint32_t same = running.incarnation;
  const auto after = [&](Time work, std::function<void(Outbox&)> act) {
    running.is_busy = true;
    at(now_ + work, [=, this, &running] {
      if (!running.process || running.incarnation != same) return;
      Outbox out;
      act(out);
      carry_out(who, out);
    });
  };
  if (may_act(who) && running.process->due() <= now_)
    return after({}, [this, &running](Outbox& out) { running.process->act(now_, out); });
  if (running.queue.empty()) return wake(who);
  const Arrived arrived = running.queue.front();
  running.queue.pop_front();
  if (!arrived.message)
    return after({}, [=, this, &running](Outbox& out) { running.process->gone(arrived.from, now_, out); });
  after(running.process->work(arrived.message->size()),
        [=, this, &running](Outbox& out) { running.process->receive(arrived.from, arrived.message, now_, out); });
}

void World::carry_out(Peer who, const Outbox& out) {
  Running& running = processes_[index(who)];
  const std::uint32_t same = running.incarnation;
  Time when = now_;
  for (const Send& sent : out) {
    when += sent.cpu;
    at(when, [=, this, &running] {
      if (running.process && running.incarnation == same) send(who, sent.to, sent.text);
    });
  }
  at(when, [=, this, &running] {
    if (!running.process || running.incarnation != same) return;
    running.is_busy = false;
    go_on(who);
  });
}

void World::wake(Peer who) {
  const Time due = processes_[index(who)].process->due();
  if (due != Time::never() && may_act(who)) at(std::max(due, now_), [=, this] { go_on(who); });
}

void World::kill(Peer daemon, Time duration, bool is_silent) {
  Running& running = processes_[index(daemon)];
  if (!running.process) return;
  running.process->die(now_);
  running.process.reset();
  running.is_silent = is_silent;
  running.is_busy = false;
  running.queue.clear();
  std::vector<Peer> others;
  for (const auto& [link, incarnations] : open_)
    if (link.first == daemon || link.second == daemon)
      others.push_back(link.first == daemon ? link.second : link.first);
  for (const Peer other : others)
    if (!is_silent) tell_gone(other, daemon);
  at(now_ + duration, [=, this, &running] {
    ++running.incarnation;
    running.process = make(daemon);
    wake(daemon);
  });
}

} // namespace hypermon::supermon::testing
