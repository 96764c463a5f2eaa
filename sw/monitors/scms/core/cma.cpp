// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/cma.hpp"

#include <algorithm>
#include <cmath>

namespace hypermon::scms {
namespace {

constexpr std::int32_t number_bytes = 8; // a larger value is a block, whose content is not simulated
constexpr std::int64_t rounds_before_zero = std::int64_t{1} << 40U; // keeps numbers positive while a clock is below 0

bool is_within(std::int64_t a, std::int64_t b, std::int64_t threshold) {
  const auto distance = a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                              : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
  return distance <= static_cast<std::uint64_t>(threshold);
}

} // namespace

Cma::Cma(const Design& design, Peer self, Surroundings& around, const NodeClock& clock, std::uint32_t incarnation)
    : design_(design), node_(NodeId{index(self)}), own_(design.tree.below(self)), around_(around), clock_(clock),
      uplink_(design, self, clock, incarnation, [this] { return own_; }), kept_(design.groups.size()) {
  for (std::size_t g = 0; g < kept_.size(); ++g)
    set_round(kept_[g], clock.first_mark({}, design.groups[g].period) + delay(design.groups[g]), {});
}

Time Cma::delay(const Group& group) const {
  const double share = design_.spread * hypermon::index(node_) / design_.tree.nodes();
  return Time::from_ps(std::llround(static_cast<double>(group.period.ps()) * share));
}

void Cma::set_round(Kept& kept, Time mark, Time now) const {
  kept.mark = mark;
  kept.next = clock_.when(mark, now);
}

std::vector<Value> Cma::read(const std::vector<Resource>& resources, Time now) {
  std::vector<Value> values;
  values.reserve(resources.size());
  for (const Resource r : resources) values.push_back(around_.read(node_, r, now));
  counts_.values_read += values.size();
  return values;
}

Time Cma::work(const Message& message) const {
  const Time handled = receiving(message, design_.costs);
  const auto* request = std::get_if<Request>(&message);
  return request != nullptr && request->verb == Verb::get ? handled + read_time(request->resources) : handled;
}

void Cma::receive(Peer from, const Message& message, Time now, Outbox& out) {
  uplink_.heard(from, now);
  if (uplink_.receive(from, message, now, out)) return begin_anew();
  if (const auto* request = std::get_if<Request>(&message)) {
    ++counts_.requests;
    Rows rows{request->resources, *own_, {}};
    if (request->verb == Verb::get) {
      rows.values = read(*request->resources, now);
      for (std::size_t i = 0; i < rows.values.size(); ++i)
        if (rows.values[i].state == State::ok)
          rows.values[i].ticket = around_.take(node_, (*request->resources)[i], now);
    } else if (request->verb != Verb::live) {
      rows.values = {carry_out(*request, now)};
    }
    post(out, from, Reply{request->id, true, false, std::move(rows)}, design_.costs);
  } else if (const auto* pull = std::get_if<Pull>(&message)) {
    Kept& kept = kept_[pull->group];
    if (!uplink_.is_parent(from)) return push(pull->group, kept.round, {}, from, out); // a former parent
    std::vector<Value> set = std::move(kept.set);
    kept.set.clear();
    push(pull->group, kept.round, std::move(set), from, out);
  }
}

Value Cma::carry_out(const Request& request, Time now) {
  const PluginId plugin = plugin_of(request.resources->front());
  const State state =
      request.verb == Verb::load ? around_.load(node_, plugin, now) : around_.unload(node_, plugin, now);
  return {.value = 0, .taken = now, .ticket = 0, .bytes = 1, .state = state};
}

void Cma::gone(Peer peer, Time now, Outbox& out) {
  if (uplink_.gone(peer, now, out)) begin_anew();
}

Time Cma::due() const {
  Time next = uplink_.due();
  for (const Kept& kept : kept_) next = std::min(next, kept.next);
  return next;
}

Time Cma::work() const {
  const Time date = due();
  Time takes;
  for (std::size_t g = 0; g < kept_.size(); ++g)
    if (kept_[g].next == date) takes += read_time(design_.groups[g].resources);
  return takes;
}

void Cma::act(Time now, Outbox& out) {
  const Time date = due();
  for (std::uint32_t g = 0; g < kept_.size(); ++g)
    if (kept_[g].next == date) sample(g, now, out);
  if (uplink_.act(now, out)) begin_anew();
}

void Cma::sample(std::uint32_t g, Time now, Outbox& out) {
  const Group& group = design_.groups[g];
  Kept& kept = kept_[g];
  const auto round = static_cast<std::uint64_t>((kept.mark - delay(group)) / group.period + rounds_before_zero);
  std::vector<Value> values = read(*group.resources, now);
  filter(group, kept, values);
  // A round is skipped, not delayed, if its time passes while the agent is still busy with the previous one.
  Time mark = kept.mark + group.period;
  for (; mark <= clock_.local(now); mark += group.period) {
    ++counts_.rounds_skipped;
    if (!counts_.first_skip) counts_.first_skip = clock_.when(mark, kept.next);
  }
  set_round(kept, mark, now);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].state == State::ok) values[i].ticket = around_.take(node_, (*group.resources)[i], now);
  if (design_.collect == Collect::push) return push(g, round, std::move(values), *uplink_.parent(), out);
  if (kept.set.empty()) {
    kept.set = std::move(values);
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) { // overwrites values that were not fetched
      Value& old = kept.set[i];
      if (values[i].state == State::same && old.state != State::same) {
        old.taken = now; // confirmed
        continue;
      }
      if (old.ticket != 0) around_.lose(old.ticket, Loss::overwritten);
      old = values[i];
    }
  }
  kept.round = round;
}

void Cma::filter(const Group& group, Kept& kept, std::vector<Value>& values) {
  if (!design_.filter) return;
  if (kept.sent.empty()) {
    kept.sent = values;
    return;
  }
  for (std::size_t i = 0; i < group.resources->size(); ++i) {
    Value& now = values[i];
    Value& sent = kept.sent[i];
    const bool is_same =
        now.state == sent.state &&
        (now.state != State::ok || (now.bytes <= number_bytes && is_within(now.value, sent.value, *design_.filter)));
    if (is_same) {
      now.state = State::same;
      ++counts_.values_filtered;
    } else {
      sent = now;
    }
  }
}

void Cma::push(std::uint32_t group, std::uint64_t round, std::vector<Value> values, Peer to, Outbox& out) {
  Rows rows{design_.groups[group].resources, {}, std::move(values)};
  if (!rows.values.empty()) rows.nodes = *own_;
  post(out, to, Push{group, round, false, std::move(rows)}, design_.costs);
}

void Cma::begin_anew() {
  for (Kept& kept : kept_) {
    kept.sent.clear();
    for (const Value& value : kept.set)
      if (value.ticket != 0) around_.lose(value.ticket, Loss::left);
    kept.set.clear();
  }
}

void Cma::restart(Time now, Outbox& out) {
  for (std::size_t g = 0; g < kept_.size(); ++g) {
    const Time period = design_.groups[g].period;
    const Time since = clock_.local(now) - kept_[g].mark;
    set_round(kept_[g], kept_[g].mark + (since < Time{} ? 0 : since / period + 1) * period, now);
  }
  around_.restart(node_, now);
  uplink_.join(now, out);
}

} // namespace hypermon::scms
