// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/requests.hpp"

#include <algorithm>

namespace hypermon::scms {
namespace {

std::optional<std::size_t> place_in(const NodeSet& nodes, NodeId node) {
  const auto found = std::lower_bound(nodes->begin(), nodes->end(), node);
  if (found == nodes->end() || *found != node) return {};
  return static_cast<std::size_t>(found - nodes->begin());
}

std::optional<std::size_t> place_in(const std::vector<Resource>& resources, Resource wanted) {
  const auto found = std::find(resources.begin(), resources.end(), wanted);
  if (found == resources.end()) return {};
  return static_cast<std::size_t>(found - resources.begin());
}

/// True if an answer for `forwarded` contains the answer for `wanted`.
bool covers(const ResourceVector& forwarded, const ResourceVector& wanted) {
  if (forwarded == wanted) return true;
  return std::all_of(wanted->begin(), wanted->end(), [&](Resource r) { return place_in(*forwarded, r).has_value(); });
}

} // namespace

Requests::Requests(const Design& design, Peer self, Surroundings& around, const NodeClock& clock, AgentCounts& counts,
                   std::uint64_t first_id)
    : design_(design), around_(around), counts_(counts),
      down_(clock.stretch(design.timeout * design.tree.height(self))),
      up_(clock.stretch(design.timeout * (design.tree.height(design.tree.root()) + 1))), last_(first_id) {}

void Requests::open(Peer to, const Request& request, Rows known, const Below& targets, std::optional<Peer> above,
                    Time now, Outbox& out) {
  if (targets.empty()) return post(out, to, Reply{request.id, true, true, std::move(known)}, design_.costs);
  const Id id = ++last_;
  Owed& owed = owed_[id];
  owed.to = to;
  owed.request = request;
  owed.rows.resources = request.resources;
  owed.has.resize(request.nodes->size());
  owed.left = request.nodes->size();
  if (is_whole()) {
    owed.rows.nodes = *request.nodes;
    owed.rows.values.resize(owed.left * owed.rows.width());
  }
  if (request.verb == Verb::live) owed.rows = known; // for the case that the agent above is dead
  for (std::size_t r = 0; r < known.nodes.size() && request.verb != Verb::live; ++r) {
    const std::size_t place = *place_in(request.nodes, known.nodes[r]);
    owed.has[place] = true;
    --owed.left;
    if (is_whole()) std::ranges::copy(known.row(r), owed.rows.row(place).begin());
  }
  if (!is_whole() && !known.nodes.empty() && request.verb != Verb::live) {
    if (design_.merge_replies)
      owed.rows = std::move(known); // leaves with the first part
    else
      post(out, to, Reply{request.id, false, true, std::move(known)}, design_.costs);
  }
  for (const auto& [target, nodes] : targets) forward(target, nodes, request, id, target == above, now, out);
}

void Requests::forward(Peer target, std::vector<NodeId> nodes, const Request& request, Id requester, bool is_above,
                       Time now, Outbox& out) {
  if (design_.merge_requests && request.verb == Verb::get) {
    const std::size_t wanted = nodes.size();
    merge(target, nodes, request, requester);
    counts_.joined_nodes += wanted - nodes.size();
    if (nodes.empty()) return;
  }
  counts_.asked_nodes += nodes.size();
  const Id id = ++last_;
  const std::size_t count = nodes.size();
  forwarded_.emplace(id, Forwarded{target,
                                   {id, request.verb, request.mode, node_set(std::move(nodes)), request.resources},
                                   std::vector<bool>(count),
                                   count,
                                   is_above,
                                   {requester}});
  forwarded_to_[target].push_back(id);
  if (design_.pipelining || is_above) return send(id, now, out);
  waiting_.push_back(id);
  if (waiting_.size() == 1) send(id, now, out);
}

void Requests::merge(Peer target, std::vector<NodeId>& nodes, const Request& request, Id requester) {
  for (const Id id : forwarded_to_[target]) {
    Forwarded& forwarded = forwarded_.at(id);
    if (forwarded.request.verb != Verb::get || forwarded.request.mode != request.mode ||
        !covers(forwarded.request.resources, request.resources))
      continue;
    const auto begin = std::remove_if(nodes.begin(), nodes.end(), [&](NodeId node) {
      const auto place = place_in(forwarded.request.nodes, node);
      return place && !forwarded.has[*place];
    });
    if (begin == nodes.end()) continue;
    nodes.erase(begin, nodes.end());
    if (forwarded.requesters.back() != requester) forwarded.requesters.push_back(requester);
    if (nodes.empty()) return;
  }
}

void Requests::send(Id id, Time now, Outbox& out) {
  const Forwarded& forwarded = forwarded_.at(id);
  post(out, forwarded.target, forwarded.request, design_.costs);
  if (design_.timeout > Time{}) deadlines_.emplace(now + (forwarded.is_above ? up_ : down_), id);
}

void Requests::give(Forwarded& forwarded, NodeId node, std::span<const Value> values) {
  std::vector<bool> gone(values.size()); // values whose ticket was given to another requester
  for (const Id id : forwarded.requesters) {
    const auto found = owed_.find(id);
    if (found == owed_.end()) continue;
    Owed& owed = found->second;
    const auto place = place_in(owed.request.nodes, node);
    if (!place || owed.has[*place]) continue;
    owed.has[*place] = true;
    --owed.left;
    const ResourceVector& wanted = owed.request.resources;
    std::size_t row = *place;
    if (!is_whole()) {
      row = owed.rows.nodes.size();
      owed.rows.nodes.push_back(node);
      owed.rows.values.resize((row + 1) * wanted->size());
    }
    for (std::size_t c = 0; c < wanted->size(); ++c) {
      const std::size_t from =
          wanted == forwarded.request.resources ? c : *place_in(*forwarded.request.resources, (*wanted)[c]);
      Value& value = owed.rows.row(row)[c];
      value = values[from];
      if (gone[from]) value.ticket = 0;
      gone[from] = true;
    }
  }
  for (std::size_t v = 0; v < values.size(); ++v)
    if (!gone[v] && values[v].ticket != 0) around_.lose(values[v].ticket, Loss::late);
}

void Requests::reply(Peer from, const Reply& reply, Time now, Outbox& out) {
  const auto found = forwarded_.find(reply.id);
  if (found == forwarded_.end() || found->second.target != from) {
    counts_.late_answers += reply.rows.nodes.size();
    for (const Value& value : reply.rows.values)
      if (value.ticket != 0) around_.lose(value.ticket, Loss::late);
    return;
  }
  Forwarded& forwarded = found->second;
  if (forwarded.request.verb == Verb::live) {
    if (const auto owed = owed_.find(forwarded.requesters.front()); owed != owed_.end()) owed->second.rows = reply.rows;
    return settle(found, now, out);
  }
  for (std::size_t r = 0; r < reply.rows.nodes.size(); ++r) {
    const NodeId node = reply.rows.nodes[r];
    const std::size_t place = place_in(forwarded.request.nodes, node).value();
    forwarded.has[place] = true;
    --forwarded.left;
    give(forwarded, node, reply.rows.row(r));
  }
  if (forwarded.left == 0) return settle(found, now, out);
  answer(forwarded.requesters, out);
}

void Requests::give_up(ForwardedPlace forwarded, Time now, Outbox& out) {
  Forwarded& open = forwarded->second;
  const std::vector<Value> missing(open.request.resources ? open.request.resources->size() : 0,
                                   {.value = 0, .taken = {}, .ticket = 0, .bytes = 1, .state = State::missing});
  for (std::size_t place = 0; place < open.has.size(); ++place)
    if (!open.has[place]) give(open, (*open.request.nodes)[place], missing);
  settle(forwarded, now, out);
}

void Requests::settle(ForwardedPlace forwarded, Time now, Outbox& out) {
  const Forwarded done = std::move(forwarded->second);
  const Id id = forwarded->first;
  forwarded_.erase(forwarded);
  std::erase(forwarded_to_[done.target], id);
  answer(done.requesters, out);
  const bool was_first = !waiting_.empty() && waiting_.front() == id;
  std::erase(waiting_, id);
  if (was_first && !waiting_.empty()) send(waiting_.front(), now, out);
}

void Requests::answer(const std::vector<Id>& requesters, Outbox& out) {
  for (const Id id : requesters) {
    const auto found = owed_.find(id);
    if (found == owed_.end()) continue;
    Owed& owed = found->second;
    const bool is_last = owed.left == 0;
    if (!is_last && !can_leave(owed)) continue;
    post(out, owed.to, Reply{owed.request.id, is_last, design_.merge_replies, std::move(owed.rows)}, design_.costs);
    if (is_last)
      owed_.erase(found);
    else
      owed.rows = {owed.request.resources, {}, {}};
  }
}

bool Requests::can_leave(const Owed& owed) const {
  if (is_whole() || owed.rows.nodes.empty()) return false;
  return !design_.merge_replies || bytes_of_values(owed.rows, design_.costs) >= design_.part;
}

void Requests::dead(Peer target, Time now, Outbox& out) {
  for (const Id id : std::vector(forwarded_to_[target]))
    if (const auto found = forwarded_.find(id); found != forwarded_.end()) give_up(found, now, out);
  forwarded_to_.erase(target);
}

void Requests::drop(Peer requester) {
  std::erase_if(owed_, [&](const auto& owed) { return owed.second.to == requester; });
}

void Requests::expire(Time now, Outbox& out) {
  while (due() <= now) {
    const Id id = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    const auto found = forwarded_.find(id);
    if (found == forwarded_.end()) continue;
    counts_.timeouts += found->second.left;
    give_up(found, now, out);
  }
}

} // namespace hypermon::scms
