// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/sma.hpp"

#include <algorithm>

namespace hypermon::scms {
namespace {

constexpr std::uint64_t ids_of_an_incarnation = std::uint64_t{1} << 40U;

Rows same_state(const Request& request, std::vector<NodeId> nodes, State state) {
  const std::size_t values = nodes.size() * request.resources->size();
  const Value value{.value = 0, .taken = {}, .ticket = 0, .bytes = 1, .state = state};
  return {request.resources, std::move(nodes), std::vector<Value>(values, value)};
}

void append(Rows& rows, Rows more) {
  rows.resources = more.resources;
  rows.nodes.insert(rows.nodes.end(), more.nodes.begin(), more.nodes.end());
  rows.values.insert(rows.values.end(), more.values.begin(), more.values.end());
}

} // namespace

Sma::Sma(const Design& design, Peer self, Surroundings& around, const NodeClock& clock, std::uint32_t incarnation)
    : design_(design), self_(self), around_(around), clock_(clock), children_(design.tree, self, incarnation == 0),
      cache_(design, children_, design.tree.below(self)->size(), around, self == design.tree.root()),
      requests_(design, self, around, clock, counts_, incarnation * ids_of_an_incarnation),
      uplink_(design, self, clock, incarnation, [this] { return children_.live(); }),
      heartbeat_(clock.stretch(design.heartbeat)), next_look_(heartbeat_ > Time{} ? heartbeat_ : Time::never()) {
  const auto height = static_cast<std::int64_t>(design.tree.height(self));
  for (const Group& group : design.groups) {
    Time first = Time::never();
    if (design.collect == Collect::pull) first = clock.first_mark({}, group.period) + height * design.pull_offset;
    collected_.push_back({Rounds(clock.stretch(height * design.wait)), first, clock.when(first, {})});
  }
  children_changed();
}

void Sma::children_changed() {
  for (Collected& collected : collected_) collected.rounds.children(children_.all());
}

void Sma::receive(Peer from, const Message& message, Time now, Outbox& out) {
  uplink_.heard(from, now);
  children_.heard(from, now);
  if (uplink_.receive(from, message, now, out)) return tell_all(out);
  if (const auto* asked = std::get_if<Request>(&message)) return request(from, *asked, now, out);
  if (const auto* answer = std::get_if<Reply>(&message)) return requests_.reply(from, *answer, now, out);
  if (const auto* wanted = std::get_if<Pull>(&message)) {
    Collected& collected = collected_[wanted->group];
    Rows rows{design_.groups[wanted->group].resources, {}, {}};
    if (uplink_.is_parent(from)) rows = cache_.fresh(wanted->group); // a former parent gets none
    return post(out, from, Push{wanted->group, collected.round, true, std::move(rows)}, design_.costs);
  }
  if (const auto* joining = std::get_if<Join>(&message)) return join(from, *joining, now, out);
  if (uplink_.is_parent(from) || !design_.tree.is_ancestor(self_, from)) return; // a reply to the heartbeat
  if (!children_.has(from)) {
    // The sender was taken for dead, or does not know that this SMA has restarted.
    if (const auto* pushed = std::get_if<Push>(&message)) cache_.put(from, *pushed, false, now);
    return post(out, from, Rejoin{}, design_.costs);
  }
  if (const auto* pushed = std::get_if<Push>(&message)) return push(from, *pushed, now, out);
  if (const auto* who = std::get_if<Members>(&message)) return members(from, *who, out);
  const auto* beat = std::get_if<Beat>(&message);
  if (beat == nullptr) return;
  if (children_.agrees(from, beat->live)) return post(out, from, Beat{}, design_.costs);
  post(out, from, Rejoin{}, design_.costs);
}

// --- requests --------------------------------------------------------------------------------------------------------

void Sma::request(Peer from, const Request& request, Time now, Outbox& out) {
  ++counts_.requests;
  const bool is_from_above = design_.tree.is_ancestor(from, self_);
  const std::optional<Peer> above = design_.scope == Scope::whole && !is_from_above ? uplink_.parent() : std::nullopt;
  if (request.verb == Verb::live) {
    Request asked = request;
    asked.nodes = node_set({});
    Rows live{nullptr, *children_.live(), {}};
    return requests_.open(from, asked, std::move(live), above ? Requests::Below{{*above, {}}} : Requests::Below{},
                          above, now, out);
  }
  const bool from_cache = request.verb == Verb::get && request.mode == Mode::asynchronous;
  std::vector<NodeId> here;
  std::vector<NodeId> missing;
  std::vector<NodeId> outside;
  Requests::Below ask;
  for (const NodeId node : *request.nodes) {
    const auto child = children_.via(node);
    if (child && from_cache)
      here.push_back(node);
    else if (child && *child != from) // otherwise it has left `from`, which is not yet known here
      ask[*child].push_back(node);
    else if (children_.is_below(node) || is_from_above)
      missing.push_back(node);
    else if (above)
      ask[*above].push_back(node);
    else
      (design_.scope == Scope::whole ? missing : outside).push_back(node);
  }
  counts_.cached_answers += here.size() * request.resources->size();
  Rows known = cached(request, std::move(here));
  if (!missing.empty()) append(known, same_state(request, std::move(missing), State::missing));
  if (!outside.empty()) append(known, same_state(request, std::move(outside), State::outside));
  requests_.open(from, request, std::move(known), ask, above, now, out);
}

Rows Sma::cached(const Request& request, std::vector<NodeId> nodes) {
  Rows rows = same_state(request, std::move(nodes), State::uncached);
  for (std::size_t column = 0; column < rows.width(); ++column)
    cache_.look_up((*request.resources)[column], column, rows);
  return rows;
}

// --- pushes and pulls -----------------------------------------------------------------------------------------------

void Sma::push(Peer from, const Push& push, Time now, Outbox& out) {
  Collected& collected = collected_[push.group];
  collected.round = std::max(collected.round, push.round);
  if (design_.collect == Collect::pull) {
    collected.asked.erase(from);
    return cache_.put(from, push, false, now);
  }
  const bool goes_on = !design_.merge_replies && uplink_.parent().has_value();
  cache_.put(from, push, goes_on, now);
  if (!uplink_.parent()) return;
  if (goes_on) return post(out, *uplink_.parent(), push, design_.costs);
  collected.rounds.push(from, push.round, now);
  if (collected.rounds.is_complete()) forward(push.group, now, out);
}

void Sma::dropped(Peer from, const Push& push) { collected_[push.group].asked.erase(from); }

void Sma::forward(std::uint32_t group, Time now, Outbox& out) {
  Collected& collected = collected_[group];
  if (!collected.rounds.is_complete()) ++counts_.rounds_incomplete;
  const std::uint64_t round = *collected.rounds.open();
  collected.rounds.close(now);
  if (cache_.has_fresh(group))
    post(out, *uplink_.parent(), Push{group, round, true, cache_.fresh(group)}, design_.costs);
}

void Sma::tell_all(Outbox& out) {
  cache_.all_fresh();
  if (design_.merge_replies || design_.collect == Collect::pull) return; // sent with the next round
  for (std::uint32_t group = 0; group < collected_.size(); ++group)
    if (cache_.has_fresh(group))
      post(out, *uplink_.parent(), Push{group, collected_[group].round, true, cache_.fresh(group)}, design_.costs);
}

void Sma::pull(std::uint32_t group, Time now, Outbox& out) {
  Collected& collected = collected_[group];
  for (const Peer child : children_.all()) {
    if (collected.asked.insert(child).second) {
      post(out, child, Pull{group}, design_.costs);
      continue;
    }
    ++counts_.rounds_skipped; // it has not answered the previous pull
    if (!counts_.first_skip) counts_.first_skip = collected.next_pull;
  }
  set_next_pull(group, now);
}

void Sma::set_next_pull(std::uint32_t group, Time now) {
  Collected& collected = collected_[group];
  while (collected.pull_mark <= clock_.local(now)) collected.pull_mark += design_.groups[group].period;
  collected.next_pull = clock_.when(collected.pull_mark, now);
}

// --- children and live nodes ----------------------------------------------------------------------------------------

void Sma::join(Peer from, const Join& join, Time now, Outbox& out) {
  if (!design_.tree.is_ancestor(self_, from)) return;
  if (children_.begins_anew(from, join.incarnation)) requests_.dead(from, now, out);
  children_.enter(from, join.incarnation, now);
  around_.joined(self_, from, now);
  std::vector<NodeId> stay = *join.nodes;
  std::vector<NodeId> gone;
  for (const NodeId node : children_.nodes_of(from))
    if (!std::binary_search(stay.begin(), stay.end(), node)) gone.push_back(node);
  cache_.forget(children_.leave(from, gone));
  for (Collected& collected : collected_) collected.asked.erase(from);
  children_changed();
  children_.join(from, stay);
  // Announces all of them, known or not, because an ancestor may have adopted one of them meanwhile.
  announce(std::move(stay), std::move(gone), out);
  post(out, from, Beat{}, design_.costs);
  for (const Peer child : children_.all()) // children below the SMA that has joined
    if (design_.tree.is_ancestor(from, child)) post(out, child, Back{from}, design_.costs);
}

void Sma::members(Peer from, const Members& members, Outbox& out) {
  std::vector<NodeId> left = children_.leave(from, *members.left);
  cache_.forget(left);
  children_.join(from, *members.joined);
  announce(*members.joined, std::move(left), out);
}

void Sma::bury(Peer child, Time now, Outbox& out) {
  around_.buried(self_, child, now);
  std::vector<NodeId> left = children_.leave(child, children_.nodes_of(child));
  children_.remove(child);
  cache_.forget(left);
  for (Collected& collected : collected_) collected.asked.erase(child);
  children_changed();
  announce({}, std::move(left), out);
  requests_.dead(child, now, out);
}

void Sma::announce(std::vector<NodeId> joined, std::vector<NodeId> left, Outbox& out) {
  if (!uplink_.parent() || (joined.empty() && left.empty())) return;
  post(out, *uplink_.parent(), Members{node_set(std::move(joined)), node_set(std::move(left))}, design_.costs);
}

void Sma::gone(Peer peer, Time now, Outbox& out) {
  if (!design_.tree.is_agent(peer)) return requests_.drop(peer);
  const bool was_parent = uplink_.is_parent(peer);
  if (uplink_.gone(peer, now, out)) tell_all(out);
  if (was_parent) requests_.dead(peer, now, out);
  if (children_.has(peer)) bury(peer, now, out);
}

void Sma::restart(Time now, Outbox& out) {
  uplink_.join(now, out);
  if (heartbeat_ > Time{}) next_look_ = now + heartbeat_;
  for (std::uint32_t g = 0; g < collected_.size() && design_.collect == Collect::pull; ++g) set_next_pull(g, now);
}

// --- actions without a message --------------------------------------------------------------------------------------

Time Sma::due() const {
  Time next = std::min({uplink_.due(), next_look_, requests_.due()});
  for (const Collected& collected : collected_) {
    next = std::min(next, collected.next_pull);
    if (uplink_.parent()) next = std::min(next, collected.rounds.due());
  }
  return next;
}

void Sma::act(Time now, Outbox& out) {
  requests_.expire(now, out);
  for (std::uint32_t group = 0; group < collected_.size(); ++group) {
    if (collected_[group].next_pull <= now) pull(group, now, out);
    if (uplink_.parent() && collected_[group].rounds.due() <= now) forward(group, now, out);
  }
  if (next_look_ <= now) {
    next_look_ = now + heartbeat_;
    for (const Peer child : children_.silent(now, design_.missed * heartbeat_)) bury(child, now, out);
  }
  const auto parent = uplink_.parent();
  if (uplink_.act(now, out)) {
    requests_.dead(*parent, now, out);
    tell_all(out);
  }
}

} // namespace hypermon::scms
