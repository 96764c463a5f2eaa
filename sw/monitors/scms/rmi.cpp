// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/rmi.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::scms {

Rmi::Rmi(Daemon& self, Wiring& wiring, Peer client, Peer sma, Time timeout)
    : self_(self), wiring_(wiring), client_(client), session_(sma, wiring.design().costs, wiring.around(), timeout) {}

std::uint64_t Rmi::submit(Request request) {
  Outbox out;
  const std::uint64_t id = session_.submit(std::move(request), self_.now(), out);
  wiring_.deliver(self_, client_, out);
  return id;
}

std::optional<Answer> Rmi::next(Time until) {
  for (;;) {
    if (!complete_.empty()) {
      Answer answer = std::move(complete_.front());
      complete_.pop_front();
      return answer;
    }
    const auto arrived = self_.receive(Wiring::port(client_), std::min(until, session_.due()));
    std::vector<Answer> answers;
    if (!arrived) {
      answers = session_.expire(self_.now());
      if (answers.empty() && self_.now() >= until) return {};
    } else if (arrived->reset) {
      answers = session_.gone(self_.now());
    } else {
      const auto message = std::any_cast<const Parcel&>(arrived->content);
      wiring_.work(self_, client_, session_.work(*message));
      if (auto answer = session_.receive(*message, self_.now())) answers.push_back(std::move(*answer));
    }
    std::move(answers.begin(), answers.end(), std::back_inserter(complete_));
  }
}

Answer Rmi::wait(std::uint64_t id) {
  std::deque<Answer> others;
  for (;;) {
    Answer answer = next().value();
    if (answer.id != id) {
      others.push_back(std::move(answer));
      continue;
    }
    std::move(others.begin(), others.end(), std::back_inserter(complete_));
    return answer;
  }
}

std::vector<NodeId> Rmi::live_nodes() {
  return wait(submit({.id = 0, .verb = Verb::live, .mode = Mode::asynchronous, .nodes = {}, .resources = {}}))
      .rows.nodes;
}

Answer Rmi::get(NodeSet nodes, ResourceVector resources, Mode mode) {
  return wait(submit({0, Verb::get, mode, std::move(nodes), std::move(resources)}));
}

Answer Rmi::load(NodeSet nodes, PluginId plugin) {
  return wait(submit({0, Verb::load, Mode::synchronous, std::move(nodes), resource_vector({resource(plugin, 0)})}));
}

Answer Rmi::unload(NodeSet nodes, PluginId plugin) {
  return wait(submit({0, Verb::unload, Mode::synchronous, std::move(nodes), resource_vector({resource(plugin, 0)})}));
}

} // namespace hypermon::scms
