// SPDX-License-Identifier: BSD-3-Clause
#include "sw/nx2/message.hpp"

#include <algorithm>

namespace hypermon {

bool Matcher::fits(const Receive& receive, const Message& message) {
  return receive.context == message.context && receive.source.value_or(message.source) == message.source &&
         receive.tag.value_or(message.tag) == message.tag;
}

void Matcher::match(const std::shared_ptr<Receive>& receive, const std::shared_ptr<Message>& message) {
  receive->message = message;
  message->receive = receive;
}

bool Matcher::match_posted(const std::shared_ptr<Message>& message) {
  const auto it = std::find_if(posted_.begin(), posted_.end(), [&](const auto& r) { return fits(*r, *message); });
  if (it == posted_.end()) return false;
  match(*it, message);
  posted_.erase(it);
  return true;
}

void Matcher::send(const std::shared_ptr<Message>& message) {
  if (!match_posted(message)) unexpected_.push_back(message);
}

void Matcher::correct(const std::shared_ptr<Receive>& receive, int source, int tag, std::int64_t bytes) {
  const auto it = std::find_if(unexpected_.begin(), unexpected_.end(), [&](const auto& m) {
    return m->context == receive->context && m->source == source && m->tag == tag && m->bytes == bytes;
  });
  if (it == unexpected_.end()) return;
  const auto given_back = receive->message;
  match(receive, *it);
  unexpected_.erase(it);
  given_back->receive.reset();
  if (!match_posted(given_back)) unexpected_.push_front(given_back);
}

std::size_t Matcher::unexpected() const {
  return static_cast<std::size_t>(std::count_if(
      unexpected_.begin(), unexpected_.end(), [](const auto& m) { return m->request_noticed || m->arrival_noticed; }));
}

std::int64_t Matcher::buffered_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& m : unexpected_)
    if (m->is_short && m->arrival_noticed) bytes += m->bytes;
  return bytes;
}

void Matcher::post(const std::shared_ptr<Receive>& receive) {
  const auto it =
      std::find_if(unexpected_.begin(), unexpected_.end(), [&](const auto& m) { return fits(*receive, *m); });
  if (it == unexpected_.end()) {
    posted_.push_back(receive);
    return;
  }
  match(receive, *it);
  unexpected_.erase(it);
}

std::shared_ptr<const Message> Matcher::probe(const Receive& wanted) const {
  const auto it = std::find_if(unexpected_.begin(), unexpected_.end(), [&](const auto& m) {
    return (m->request_noticed || m->arrival_noticed) && fits(wanted, *m);
  });
  return it == unexpected_.end() ? nullptr : *it;
}

} // namespace hypermon
