// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/core/point_to_point.hpp"

#include <algorithm>

namespace hypermon::messages {
namespace {

/// Calls `done` when both callbacks have been called, in either order.
void when_both(Wire::Done& one, Wire::Done& other, Wire::Done done) {
  const auto left = std::make_shared<int>(2);
  one = other = [left, done = std::move(done)] {
    if (--*left == 0) done();
  };
}

} // namespace

MessageStep PointToPoint::step_of(const Message& m, const char* what, std::int64_t bytes) {
  return {.id = {},
          .cause = m.cause,
          .receivers = m.receivers,
          .algorithm = what,
          .step = m.step,
          .from = m.from,
          .to = m.to,
          .bytes = bytes};
}

Task PointToPoint::send(std::shared_ptr<Message> message, const char* algorithm, int step) {
  message->announced = message->synchronous || (!message->is_plain && message->bytes > protocol_.eager_limit);
  message->number =
      queues_of(message->from).sent[message->to]++; // numbered when it is called, not when the task begins
  message->step = step;
  return send_now(std::move(message), algorithm);
}

Task PointToPoint::send_now(std::shared_ptr<Message> message, const char* algorithm) {
  const Message& m = *message;
  co_await step(wire_, m.from);
  if (m.announced) {
    co_await Callback([&](const Wire::Done& done) {
      Wire::Done left;
      when_both(left, message->acknowledged, done);
      wire_.send(step_of(m, "announcement", protocol_.announcement), left, [this, message] { comes(message); });
      if (m.is_cancelled) message->acknowledged();
    });
    if (m.is_cancelled) co_return;
    co_await step(wire_, m.from);
  }
  const char* const name = algorithm != nullptr ? algorithm
                           : m.announced        ? "rendezvous"
                           : m.is_plain         ? "plain"
                                                : "eager";
  co_await Callback([&](const Wire::Done& left) {
    wire_.send(step_of(m, name, m.bytes + (m.is_plain ? 0 : protocol_.header)), left, [this, message] {
      if (!message->announced) return comes(message);
      message->delivered();
    });
  });
}

Task PointToPoint::receive(std::shared_ptr<Receive> receive) {
  RankQueues& own = queues_of(receive->rank);
  const auto found =
      std::ranges::find_if(own.unexpected, [&](const auto& message) { return fits(*receive, *message); });
  if (found == own.unexpected.end()) {
    own.posted.push_back(receive);
  } else {
    match(receive, *found);
    own.unexpected.erase(found);
  }
  return receive_now(std::move(receive));
}

Task PointToPoint::receive_now(std::shared_ptr<Receive> receive) {
  co_await step(wire_, receive->rank);
  if (!receive->message && !receive->cancelled)
    co_await Callback([&](Wire::Done done) { receive->matched = std::move(done); });
  if (!receive->message) co_return; // cancelled
  co_await step(wire_, receive->rank);
  const std::shared_ptr<Message> message = receive->message;
  if (!message->announced) co_return;
  co_await Callback([&](const Wire::Done& done) {
    message->delivered = done;
    MessageStep answer = step_of(*message, "acknowledgement", protocol_.acknowledgement);
    std::swap(answer.cause, answer.receivers);
    std::swap(answer.from, answer.to);
    wire_.send(
        answer, [] {}, [message] { message->acknowledged(); });
  });
}

void PointToPoint::comes(const std::shared_ptr<Message>& message) {
  RankQueues& own = queues_of(message->to);
  std::uint64_t& next = own.come[message->from];
  if (message->number != next) {
    own.early.emplace(std::pair(message->from, message->number), message);
    return;
  }
  ++next;
  take_in(message);
  for (auto it = own.early.find({message->from, next}); it != own.early.end();
       it = own.early.find({message->from, next})) {
    const auto after = it->second;
    own.early.erase(it);
    ++next;
    take_in(after);
  }
}

void PointToPoint::take_in(const std::shared_ptr<Message>& message) {
  if (message->is_cancelled) return;
  RankQueues& own = queues_of(message->to);
  const auto found = std::ranges::find_if(own.posted, [&](const auto& receive) { return fits(*receive, *message); });
  if (found == own.posted.end()) {
    own.unexpected.push_back(message);
    if (notice_) notice_(message->to);
    return;
  }
  const auto receive = *found;
  own.posted.erase(found);
  match(receive, message);
  if (receive->matched) receive->matched();
}

bool PointToPoint::fits(const Receive& receive, const Message& message) {
  return receive.context == message.context && receive.from.value_or(message.from) == message.from &&
         receive.tag.value_or(message.tag) == message.tag;
}

void PointToPoint::match(const std::shared_ptr<Receive>& receive, const std::shared_ptr<Message>& message) {
  receive->message = message;
  message->is_matched = true;
  message->receivers = receive->cause;
}

std::shared_ptr<const Message> PointToPoint::probe(const Receive& wanted) const {
  const auto& here = queues_of(wanted.rank).unexpected;
  const auto found = std::ranges::find_if(here, [&](const auto& message) { return fits(wanted, *message); });
  return found == here.end() ? nullptr : *found;
}

bool PointToPoint::withdraw(const std::shared_ptr<Receive>& receive) {
  if (std::erase(queues_of(receive->rank).posted, receive) == 0) return false;
  receive->cancelled = true;
  if (receive->matched) receive->matched();
  return true;
}

bool PointToPoint::withdraw(const std::shared_ptr<Message>& message) {
  if (message->is_matched || message->is_cancelled) return false;
  message->is_cancelled = true;
  std::erase(queues_of(message->to).unexpected, message);
  if (message->acknowledged) message->acknowledged();
  return true;
}

std::int64_t PointToPoint::unexpected_bytes(int rank) const {
  std::int64_t bytes = 0;
  for (const auto& message : queues_of(rank).unexpected)
    if (!message->announced) bytes += message->bytes;
  return bytes;
}

} // namespace hypermon::messages
