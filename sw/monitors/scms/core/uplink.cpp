// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/uplink.hpp"

#include <algorithm>

namespace hypermon::scms {

void Uplink::join(Time now, Outbox& out) {
  if (ancestors_.empty()) return;
  heard_ = now; // gives it a full period to answer
  post(out, ancestors_[at_], Join{incarnation_, live_()}, design_.costs);
  if (heartbeat_ > Time{}) next_beat_ = now + heartbeat_;
}

bool Uplink::receive(Peer from, const Message& message, Time now, Outbox& out) {
  if (std::holds_alternative<Rejoin>(message) && is_parent(from)) {
    join(now, out);
    return true;
  }
  if (const auto* back = std::get_if<Back>(&message)) {
    const auto nearer =
        std::find(ancestors_.begin(), ancestors_.begin() + static_cast<std::ptrdiff_t>(at_), back->ancestor);
    const auto place = static_cast<std::size_t>(nearer - ancestors_.begin());
    if (place == at_) return false;
    at_ = place;
    join(now, out);
    return true;
  }
  return false;
}

bool Uplink::gone(Peer peer, Time now, Outbox& out) {
  if (!is_parent(peer)) return false;
  if (at_ + 1 == ancestors_.size()) { // the root is tried again at every heartbeat, not at every reset
    heard_ = now - (design_.missed + 1) * heartbeat_;
    return false;
  }
  give_up(now, out);
  return true;
}

bool Uplink::act(Time now, Outbox& out) {
  if (now < next_beat_) return false;
  next_beat_ = now + heartbeat_;
  if (now - heard_ <= design_.missed * heartbeat_) {
    post(out, ancestors_[at_], Beat{static_cast<std::uint32_t>(live_()->size())}, design_.costs);
    return false;
  }
  give_up(now, out);
  return true;
}

void Uplink::give_up(Time now, Outbox& out) {
  at_ = std::min(at_ + 1, ancestors_.size() - 1);
  join(now, out);
}

} // namespace hypermon::scms
