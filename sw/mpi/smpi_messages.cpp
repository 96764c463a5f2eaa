// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/smpi_messages.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/machine/machine.hpp"

#include <dlfcn.h>
#include <simgrid/engine.h>
#include <simgrid/s4u/Host.hpp>
#include <xbt/config.hpp>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

namespace hypermon {
namespace {

// SMPI's flags of a request; 3.32 and 4.1 have the same values.
constexpr unsigned receives = 0x8;
constexpr unsigned synchronous = 0x40;
constexpr unsigned one_sided = 0x200;
constexpr unsigned buffered = 0x2000;

double clock_now() { return simgrid_get_clock(); }

} // namespace

SmpiMessages* watched_smpi_messages = nullptr;

bool smpi_shows_messages() {
  using namespace smpi_symbols;
  static const bool has_all = [] {
    const auto names = {made, start, match_send, match_recv};
    return std::all_of(names.begin(), names.end(), [](const char* name) { return dlsym(RTLD_NEXT, name) != nullptr; });
  }();
  return has_all;
}

SmpiMessages::SmpiMessages(Traffic& traffic, std::vector<const simgrid::s4u::Host*> places, RankOf rank_of,
                           const IoObservers& observers, CallOf call_of)
    : traffic_(traffic), places_(std::move(places)), rank_of_(std::move(rank_of)), observers_(observers),
      call_of_(std::move(call_of)), copied_below_(simgrid::config::get_value<int>("smpi/send-is-detached-thresh")),
      early_below_(simgrid::config::get_value<int>("smpi/async-small-thresh")), ranks_(places_.size()) {}

SmpiMessages::Made* SmpiMessages::find(Request request) {
  const auto it = requests_.find(request);
  return it == requests_.end() ? nullptr : &it->second;
}

void SmpiMessages::made(Request request, aid_t from, aid_t to, std::int64_t bytes, unsigned flags) {
  requests_.insert_or_assign(request, Made{from, to, bytes, flags});
}

void SmpiMessages::starts(Request request) {
  if (Made* own = find(request)) own->partner = nullptr;
}

void SmpiMessages::compared(Request own, Request other, Carrier carrier, bool fits) {
  if (checked_ && checked_->own == other && checked_->other == own) {
    Made* seeker = fits ? find(checked_->own) : nullptr; // a probe also finds one, but is never started
    if (seeker != nullptr) seeker->partner = checked_->other, seeker->carrier = checked_->carrier;
    checked_.reset();
  } else if (fits) {
    checked_ = {own, other, carrier};
  } else {
    checked_.reset();
  }
}

void SmpiMessages::started(Request request) {
  Made* own = find(request);
  if (own == nullptr) return;
  if ((own->flags & receives) != 0)
    started_receive(*own);
  else
    started_send(*own);
}

void SmpiMessages::started_send(Made& own) {
  const auto from = rank_of_(own.from);
  const auto to = rank_of_(own.to);
  if (!from || !to) return;
  const bool waits = (own.flags & synchronous) != 0;
  const bool is_one_sided = (own.flags & one_sided) != 0;
  const auto message = std::make_shared<Message>(
      Message{.from = *from,
              .to = *to,
              .bytes = own.bytes,
              .sent = clock_now(),
              .copied = !waits && (is_one_sided || (own.flags & buffered) != 0 || own.bytes < copied_below_),
              .early = is_one_sided || (!waits && own.bytes < early_below_)});
  traffic_.sent(message->from, message->bytes);
  if (!observers_.empty()) report_begin(*message);
  if (Made* receive = find(own.partner)) {
    --receive->posted;
    --entry(message->to).posted;
    return begins(message, own.carrier);
  }
  own.sent.push_back(message);
  ++entry(message->to).unexpected;
  if (message->early)
    goes_early(message);
  else if (message->copied)
    buffer(*message, message->from);
}

void SmpiMessages::started_receive(Made& own) {
  const auto to = rank_of_(own.to);
  if (!to) return;
  Made* send = find(own.partner);
  if (send == nullptr || send->sent.empty()) {
    ++own.posted;
    ++entry(*to).posted;
    return;
  }
  const MessagePtr message = send->sent.front();
  send->sent.pop_front();
  --entry(message->to).unexpected;
  release(*message);
  if (!message->early) return begins(message, own.carrier);
  if (const auto it = std::find(early_.begin(), early_.end(), message); it != early_.end()) {
    early_.erase(it);
    carried_.insert_or_assign(own.carrier, message);
  }
}

void SmpiMessages::cancelled(Request request) {
  Made* own = find(request);
  if (own == nullptr) return;
  if ((own->flags & receives) != 0) {
    const auto to = rank_of_(own->to);
    if (to && own->posted > 0) --own->posted, --entry(*to).posted;
  } else if (!own->sent.empty() && !own->sent.back()->copied) { // a copy continues without its request
    --entry(own->sent.back()->to).unexpected;
    own->sent.pop_back();
  }
}

double SmpiMessages::wire_size(const Message& message) {
  return static_cast<double>(message.bytes) + Machine::smpi_header_bytes;
}

void SmpiMessages::begins(const MessagePtr& message, Carrier carrier) {
  traffic_.begins(place(message->from), place(message->to));
  carried_.insert_or_assign(carrier, message);
}

void SmpiMessages::goes_early(const MessagePtr& message) {
  traffic_.begins(place(message->from), place(message->to));
  early_.push_back(message);
}

void SmpiMessages::transfer_ended(Carrier carrier, double start, double size) {
  if (const auto it = carried_.find(carrier); it != carried_.end()) {
    ends(*it->second);
    carried_.erase(it);
    return;
  }
  // Among transfers with the same begin and size the first one is taken, because they cannot be distinguished.
  const auto it = std::find_if(early_.begin(), early_.end(),
                               [&](const auto& m) { return m->sent == start && wire_size(*m) == size; });
  if (it == early_.end()) return;
  const MessagePtr message = *it;
  early_.erase(it);
  ends(*message);
  buffer(*message, message->to);
}

void SmpiMessages::for_transfers_under_way(const Traffic::Moved& f) const {
  std::map<std::pair<double, double>, std::deque<const Message*>> early; // by begin and size, as in transfer_ended()
  for (const MessagePtr& message : early_) early[{message->sent, wire_size(*message)}].push_back(message.get());
  simgrid_compat::for_transfers_under_way([&](double size, double start, Carrier carrier, double moved) {
    const Message* message = nullptr;
    if (const auto it = carried_.find(carrier); it != carried_.end()) {
      message = it->second.get();
    } else {
      const auto found = early.find({start, size});
      if (found == early.end() || found->second.empty()) return;
      message = found->second.front();
      found->second.pop_front();
    }
    f(place(message->from), place(message->to), moved);
  });
}

void SmpiMessages::report_begin(Message& message) {
  MessageStep step = call_of_(message.from);
  step.id = message.reported_as = observers_.number();
  step.from = message.from;
  step.to = message.to;
  step.bytes = message.bytes;
  observers_.notify([&](IoObserver& o) { o.begins(Time::from_seconds_rounded(clock_now()), step); });
}

void SmpiMessages::ends(Message& message) {
  if (message.reported_as)
    observers_.notify([&](IoObserver& o) { o.ends(Time::from_seconds_rounded(clock_now()), message.reported_as); });
  traffic_.ends(place(message.from), place(message.to), wire_size(message));
  traffic_.received(message.to, message.bytes);
}

void SmpiMessages::buffer(Message& message, int rank) {
  message.buffered_at = rank;
  entry(rank).buffered_bytes += message.bytes;
}

void SmpiMessages::release(Message& message) {
  if (message.buffered_at) entry(*message.buffered_at).buffered_bytes -= message.bytes;
  message.buffered_at.reset();
}

} // namespace hypermon
