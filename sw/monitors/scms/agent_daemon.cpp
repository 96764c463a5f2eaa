// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/agent_daemon.hpp"

#include <algorithm>

namespace hypermon::scms {
namespace {

const Message& message_of(const Datagram& datagram) { return *std::any_cast<const Parcel&>(datagram.content); }

/// The push in the datagram, if it is one. No peer waits for it, so a full queue may drop it.
const Push* push_of(const Datagram& datagram) {
  return datagram.reset ? nullptr : std::get_if<Push>(&message_of(datagram));
}

} // namespace

AgentDaemon::AgentDaemon(Wiring& wiring, Peer self, const NodeClock& clock, Deaths deaths, std::size_t most_waiting)
    : wiring_(wiring), self_(self), clock_(clock), deaths_(std::move(deaths)), most_waiting_(most_waiting),
      agent_(make_agent(wiring.design(), self, wiring.around(), clock)) {}

AgentCounts AgentDaemon::counts() const {
  AgentCounts all = before_;
  if (agent_) all += agent_->counts();
  return all;
}

void AgentDaemon::run(Daemon& self) {
  const std::uint32_t port = Wiring::port(self_);
  for (;;) {
    while (auto arrived = self.receive(port, self.now())) take(std::move(*arrived), self.now());
    if (crashed_) {
      die(self, clock_.after(self.now(), *crashed_), Closed::resets);
    } else if (deaths_.next() <= self.now()) {
      die(self, deaths_.end(), deaths_.how());
    } else if (agent_->due() <= self.now()) {
      wiring_.work(self, self_, agent_->work());
      Outbox out;
      agent_->act(self.now(), out);
      if (!crashed_) wiring_.deliver(self, self_, out);
    } else if (!queue_.empty()) {
      handle(self);
    } else if (auto arrived = self.receive(port, std::min(agent_->due(), deaths_.next()))) {
      take(std::move(*arrived), self.now());
    }
  }
}

void AgentDaemon::take(Datagram datagram, Time now) {
  if (const Push* push = push_of(datagram)) {
    if (most_waiting_ > 0 && waiting_ >= most_waiting_) {
      ++dropped_;
      if (!first_drop_) first_drop_ = now;
      agent_->dropped(Wiring::peer_at(datagram.from), *push);
      for (const Value& value : push->rows.values)
        if (value.ticket != 0) wiring_.around().lose(value.ticket, Loss::dropped);
      return;
    }
    ++waiting_;
  }
  queue_.push_back(std::move(datagram));
  if (queue_.size() > longest_) {
    longest_ = queue_.size();
    longest_at_ = now;
  }
}

void AgentDaemon::handle(Daemon& self) {
  const Datagram datagram = std::move(queue_.front());
  queue_.pop_front();
  if (const Push* push = push_of(datagram)) {
    --waiting_;
    if (self.now() - datagram.sent > wiring_.design().groups[push->group].period) {
      ++late_;
      if (!first_late_) first_late_ = self.now();
    }
  }
  const Peer from = Wiring::peer_at(datagram.from);
  Outbox out;
  if (datagram.reset) {
    agent_->gone(from, self.now(), out);
  } else {
    wiring_.work(self, self_, agent_->work(message_of(datagram)));
    agent_->receive(from, message_of(datagram), self.now(), out);
  }
  if (!crashed_) wiring_.deliver(self, self_, out);
}

void AgentDaemon::die(Daemon& self, Time end, Closed how) {
  crashed_.reset();
  const std::uint32_t port = Wiring::port(self_);
  self.close(port, how);
  queue_.clear();
  waiting_ = 0;
  before_ += agent_->counts();
  agent_.reset();
  self.sleep_until(deaths_.dead_until(end));
  agent_ = make_agent(wiring_.design(), self_, wiring_.around(), clock_, ++incarnation_);
  if (auto early = self.receive(port, self.now())) take(std::move(*early), self.now()); // opens the port
  Outbox out;
  agent_->restart(self.now(), out);
  wiring_.deliver(self, self_, out);
}

} // namespace hypermon::scms
