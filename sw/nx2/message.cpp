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

void Matcher::send(const std::shared_ptr<Message>& message) {
  const auto it = std::find_if(posted_.begin(), posted_.end(), [&](const auto& r) { return fits(*r, *message); });
  if (it == posted_.end()) {
    unexpected_.push_back(message);
    return;
  }
  match(*it, message);
  posted_.erase(it);
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
