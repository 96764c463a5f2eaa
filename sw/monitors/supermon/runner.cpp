// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/runner.hpp"

#include <algorithm>

namespace hypermon::supermon {

Runner::Runner(Wiring& wiring, Peer self, std::function<std::unique_ptr<Process>()> make, Deaths deaths)
    : wiring_(wiring), self_(self), make_(std::move(make)), deaths_(std::move(deaths)), process_(make_()) {}

void Runner::run(Daemon& self) {
  const std::uint32_t port = Wiring::port(self_);
  for (;;) {
    while (auto arrived = self.receive(port, self.now())) take(std::move(*arrived), self.now());
    if (deaths_.next() <= self.now()) {
      die(self);
    } else if (process_->due() <= self.now()) {
      Outbox out;
      process_->act(self.now(), out);
      wiring_.deliver(self, self_, out);
    } else if (!queue_.empty()) {
      handle(self);
    } else if (auto arrived = self.receive(port, std::min(process_->due(), deaths_.next()))) {
      take(std::move(*arrived), self.now());
    }
  }
}

void Runner::take(Datagram datagram, Time now) {
  queue_.push_back(std::move(datagram));
  if (queue_.size() > longest_) {
    longest_ = queue_.size();
    longest_at_ = now;
  }
}

void Runner::handle(Daemon& self) {
  const Datagram datagram = std::move(queue_.front());
  queue_.pop_front();
  Outbox out;
  if (datagram.reset) {
    process_->gone(Wiring::peer_at(datagram.from), self.now(), out);
  } else if (const auto* write = std::any_cast<MonholeWrite>(&datagram.content)) {
    auto& mon = dynamic_cast<Mon&>(*process_);
    write->taken();
    wiring_.work(self, self_, mon.work_of_write(write->text->size()));
    mon.write(write->source, write->text, self.now());
  } else {
    const auto& text = std::any_cast<const Text&>(datagram.content);
    wiring_.work(self, self_, process_->work(text->size()));
    process_->receive(Wiring::peer_at(datagram.from), text, self.now(), out);
  }
  wiring_.deliver(self, self_, out);
}

void Runner::die(Daemon& self) {
  const std::uint32_t port = Wiring::port(self_);
  while (auto arrived = self.receive(port, self.now())) take(std::move(*arrived), self.now()); // writers are told
  self.close(port, deaths_.how());
  process_->die(self.now());
  if (on_death_) on_death_(*process_);
  process_.reset();
  for (const Datagram& waiting : queue_)
    if (const auto* write = std::any_cast<MonholeWrite>(&waiting.content)) write->lost();
  queue_.clear();
  self.sleep_until(deaths_.dead_until(deaths_.end()));
  process_ = make_();
  ++incarnations_;
  if (auto early = self.receive(port, self.now())) take(std::move(*early), self.now()); // opens the port
}

} // namespace hypermon::supermon
