// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/client.hpp"

#include <algorithm>

namespace hypermon::scms {

void Client::Choice::see(const Answer& answer) {
  for (std::size_t r = 0; r < answer.rows.nodes.size(); ++r) {
    const Value& load = answer.rows.row(r).front();
    if (load.state != State::ok && load.state != State::same) continue;
    answered.push_back(answer.rows.nodes[r]);
    if (node && value <= load.value) continue; // the first among equals
    node = answer.rows.nodes[r];
    value = load.value;
  }
}

bool Client::is_over() const { return (kind_.params.calls > 0 && made_ == kind_.params.calls) || dates_.is_over(); }

void Client::open_session(Daemon& self) const { self.sleep_until(self.now() + Time(kind_.params.session_ms)); }

void Client::end_call(Time date, Time now, const Choice& choice) {
  kind_.outcome.end(date, now);
  if (kind_.params.kind != ScmsClientKind::scheduler || !choice.node) return;
  std::optional<Outcome::Truth> truth;
  if (kind_.truth) {
    const std::int64_t chosen = kind_.truth(*choice.node, now);
    truth.emplace();
    for (const NodeId node : choice.answered) {
      const std::int64_t less = chosen - kind_.truth(node, now);
      truth->better += less > 0 ? 1 : 0;
      truth->regret = std::max(truth->regret, less);
    }
  }
  kind_.outcome.choose(truth);
}

void Client::catch_up(Time now) {
  if (kind_.params.arrival == ScmsArrival::random) return;
  for (; dates_.date() < now && !is_over(); dates_.advance()) kind_.outcome.miss();
}

std::optional<std::uint64_t> Client::call(Daemon& self, Rmi& rmi, Time date) {
  const auto mode = kind_.params.mode == ScmsMode::synchronous ? Mode::synchronous : Mode::asynchronous;
  if (kind_.params.session == ScmsSession::every_call) open_session(self);
  const NodeSet asked = nodes(rmi);
  if (kind_.params.ask == ScmsAsk::together && !asked->empty())
    return rmi.submit({0, Verb::get, mode, asked, kind_.resources});
  Choice choice;
  const auto take = [&](std::uint64_t request) {
    const Answer answer = rmi.wait(request);
    kind_.outcome.add(answer);
    choice.see(answer);
  };
  std::vector<std::uint64_t> under_way;
  for (const NodeId node : *asked) {
    const std::uint64_t request = rmi.submit({0, Verb::get, mode, node_set({node}), kind_.resources});
    if (kind_.params.ask == ScmsAsk::pipelined)
      under_way.push_back(request);
    else
      take(request);
  }
  std::ranges::for_each(under_way, take);
  end_call(date, self.now(), choice);
  catch_up(self.now());
  return std::nullopt;
}

void Client::run(Daemon& self) {
  const Tree& tree = wiring_.design().tree;
  Rmi rmi(self, wiring_, self_, tree.sma(static_cast<std::uint32_t>(kind_.params.sma)),
          clock_.stretch(kind_.params.timeout_s));
  const auto most = static_cast<std::size_t>(kind_.params.outstanding);
  std::map<std::uint64_t, Time> open; // times of calls, by request
  if (kind_.params.session == ScmsSession::once) open_session(self);
  for (;;) {
    const bool is_full = open.size() == most;
    const Time next = is_full || is_over() ? Time::never() : dates_.date();
    if (next == Time::never() && open.empty()) return;
    if (next <= self.now()) {
      ++made_;
      dates_.advance();
      if (const auto request = call(self, rmi, next)) open.emplace(*request, next);
    } else if (open.empty()) {
      self.sleep_until(next);
    } else if (const auto answer = rmi.next(next)) {
      Choice choice;
      kind_.outcome.add(*answer);
      choice.see(*answer);
      end_call(open.extract(answer->id).mapped(), self.now(), choice);
      if (is_full) catch_up(self.now());
    }
  }
}

} // namespace hypermon::scms
