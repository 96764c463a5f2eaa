// SPDX-License-Identifier: BSD-3-Clause
// The rules of docs/design/tcp.md once more, in the plainest way: nothing is scheduled; at every date all that is under
// way is looked through for what comes next. Interfaces are queues, data are counted byte by byte.
#pragma once
#include "hw/machine/tcp_params.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace hypermon::testing {

/// What a port receives: a message, the end of a connection, or the notice that the buffer has taken a message.
struct Seen {
  enum What { message, reset, taken } what;
  std::int64_t when;
  int at;
  int from;
  int id;
  auto operator<=>(const Seen&) const = default;
};

class NaiveTcp {
public:
  enum class Port { closed, open, silent };
  using Date = std::int64_t;
  static constexpr Date never = INT64_MAX;

  /// `byte`: duration of a byte on a link that one transfer uses. `slowness`: number of transfers that share a link.
  NaiveTcp(const TcpParams& params, std::function<Date(int, int)> flight, Date byte, Date slowness)
      : p_(params), flight_(std::move(flight)), byte_(byte), slowness_(slowness) {}

  std::vector<Seen> seen;
  std::map<int, Port> ports;
  std::function<void(const Seen&)> then; // called for each message when everything at its date has happened

  void stream(int from, int to, const std::vector<std::int64_t>& writes, int id) {
    End* own = find(from, to);
    if (own == nullptr) own = begin(from, to);
    for (const std::int64_t w : writes) own->to_write.push_back({w, -1});
    own->to_write.back().second = id;
    std::int64_t before = own->messages.empty() ? own->forgotten : own->messages.back().first;
    for (const std::int64_t w : writes) before += w;
    own->messages.push_back({before, id});
    copy(*own);
    send(*own);
  }

  void close(int at, bool silent) {
    for (const auto& c : connections_)
      for (End& e : c->ends) {
        if (e.at != at || !e.alive) continue;
        kill(e);
        End& peer = *e.peer;
        if (silent) {
          if (peer.alive && peer.cut > peer.acked && !peer.asking) ask(peer, 0);
        } else
          resets_.push_back({&peer, std::max(now + flight(e), e.last_arrival)});
      }
    ports[at] = silent ? Port::silent : Port::closed;
  }

  /// Runs until nothing is in progress, or until that date.
  void run(Date until) {
    for (Date next = this->next(); next <= until; next = this->next()) {
      now = next;
      happen();
    }
    now = std::max(now, until);
  }

  Date now = 0;
  /// First instant after which the outcome depends on the order of simultaneous steps, which the rules do not define.
  Date undecided = never;

private:
  struct Connection;
  struct End {
    int at = 0;
    End* peer = nullptr;
    bool alive = false, open = false, busy = false, asking = false;
    Date begun = 0, last_arrival = 0;
    // out
    std::deque<std::pair<std::int64_t, int>> to_write; // bytes, and the message that ends with them
    std::vector<std::int64_t> unopened;
    std::int64_t copied = 0, offered = 0, cut = 0, acked = 0, small_end = 0, left = 0, forgotten = 0;
    std::deque<std::int64_t> segments;
    std::deque<std::pair<std::int64_t, int>> messages; // end, id: not delivered
    // in
    std::int64_t got = 0, confirmed = 0, quick = 0;
    Date owes_since = never;
  };
  struct Connection {
    std::array<End, 2> ends;
  };
  struct Transfer {
    End* from;
    std::vector<std::int64_t> segments;
    std::int64_t acks;
    Date takes;
    enum { waits, leaves, enters, flies } state;
    Date date;          // date at which the state ends
    Date enters_at = 0; // small transfers: date at which the data have passed the other interface
  };
  struct Ack {
    End* to;
    std::int64_t upto;
    Date date;
  };
  struct Note { // part of a handshake: its first segment, its answer, or a reset
    End* end;
    Date date;
    std::int64_t attempt = 0;
  };

  Date flight(const End& e) const { return flight_(e.at, e.peer->at); }

  End* find(int at, int to) {
    for (const auto& c : connections_)
      for (End& e : c->ends)
        if (e.alive && e.at == at && e.peer->at == to) return &e;
    return nullptr;
  }

  End* begin(int at, int to) {
    auto& c = connections_.emplace_back(std::make_unique<Connection>());
    for (int i = 0; i < 2; ++i) {
      End& e = c->ends[static_cast<std::size_t>(i)];
      e.at = i == 0 ? at : to;
      e.peer = &c->ends[static_cast<std::size_t>(1 - i)];
      e.quick = p_.quick_acks;
    }
    End* own = c->ends.data();
    own->alive = true;
    own->begun = now;
    syns_.push_back({own, now + flight(*own)});
    return own;
  }

  void kill(End& e) {
    e.alive = false;
    for (const auto& [bytes, id] : e.to_write)
      if (id >= 0) seen.push_back({Seen::taken, now, e.at, e.peer->at, id});
    e.to_write.clear();
    e.segments.clear();
    e.owes_since = never;
  }
  void lose(End& e) {
    if (!e.alive) return;
    kill(e);
    if (ports[e.at] == Port::open) seen.push_back({Seen::reset, now, e.at, e.peer->at, -1});
  }

  // --- the sender ----------------------------------------------------------------------------------------------------
  void copy(End& e) {
    const std::int64_t buffer = std::llround(p_.buffer_kb * 1000);
    while (!e.to_write.empty() && e.alive) {
      std::int64_t take = 0; // segment by segment, while one begins within the buffer
      auto& [bytes, id] = e.to_write.front();
      while (take < bytes && e.copied - e.acked + take < buffer) take = std::min(bytes, take + p_.mss_bytes.number);
      if (take == 0 && bytes > 0) return;
      e.copied += take;
      if (!e.open)
        e.unopened.push_back(take);
      else
        offer(e, take);
      if ((bytes -= take) > 0) continue;
      if (id >= 0) seen.push_back({Seen::taken, now, e.at, e.peer->at, id});
      e.to_write.pop_front();
    }
  }
  void offer(End& e, std::int64_t bytes) {
    e.offered += bytes;
    slice(e);
  }
  void slice(End& e) {
    const std::int64_t mss = p_.mss_bytes.number;
    while (e.offered > e.cut) {
      const std::int64_t size = std::min(mss, e.offered - e.cut);
      if (size < mss) {
        const bool idle = e.cut == e.acked;
        if (p_.nagle == Nagle::rfc896 && !idle) return;
        if (p_.nagle == Nagle::linux_2_2 && !idle && size < mss / 2) return;
        if (p_.nagle == Nagle::minshall && e.small_end > e.acked) return;
      }
      e.cut += size;
      if (size < mss) e.small_end = e.cut;
      e.segments.push_back(size);
    }
  }
  void acknowledged(End& e, std::int64_t upto) {
    if (upto <= e.acked) return;
    e.acked = upto;
    slice(e);
    copy(e);
  }
  void send(End& e) {
    if (!e.alive || !e.open || e.busy || e.segments.empty()) return;
    Transfer t{&e, {}, 0, 0, Transfer::waits, never};
    std::int64_t bytes = 0;
    for (bool end = false; !end && !e.segments.empty() && std::ssize(t.segments) < p_.burst_segments;) {
      const std::int64_t size = e.segments.front();
      e.segments.pop_front();
      t.segments.push_back(size);
      bytes += size + p_.header_bytes.number;
      for (const auto& [at, id] : e.messages) end = end || (at > e.left && at <= e.left + size);
      e.left += size;
    }
    if (e.got > e.confirmed) {
      t.acks = e.confirmed = e.got;
      e.owes_since = never;
    }
    e.busy = true;
    if (bytes > p_.flow_bytes.number) {
      t.state = Transfer::flies; // over the links: it has left at the end date
      t.date = now + bytes * byte_ * slowness_;
      t.takes = 0;
      flows_.push_back(t);
      return;
    }
    t.takes = bytes * byte_;
    small_.push_back(std::move(t));
    serve();
  }
  /// Interfaces out and in serve one small transfer after the other.
  void serve() {
    for (Transfer& t : small_) {
      if (t.state != Transfer::waits) continue;
      const bool taken = std::any_of(small_.begin(), small_.end(), [&](const Transfer& o) {
        return o.state == Transfer::leaves && o.from->at == t.from->at && o.date > now;
      });
      if (taken) continue;
      t.state = Transfer::leaves;
      t.date = now + t.takes;
      Date& in = in_[t.from->peer->at]; // its turn at that interface is when it begins to arrive
      in = std::max(in, now) + t.takes;
      t.enters_at = in;
    }
  }

  // --- steps ------------------------------------------------------------------------------------------------------
  Date next() const {
    Date next = never;
    const auto look = [&](Date d) { next = std::min(next, d); };
    for (const Transfer& t : small_) look(t.date);
    for (const Transfer& t : flows_) look(t.date);
    for (const auto& [t, date] : arriving_) look(date);
    for (const Ack& a : acks_) look(a.date);
    for (const auto* notes : {&syns_, &answers_, &resets_, &asks_, &connects_})
      for (const Note& n : *notes) look(n.date);
    for (const auto& c : connections_)
      for (const End& e : c->ends)
        if (e.owes_since != never) look(e.owes_since + Time(p_.delayed_ack_ms).ps());
    return next;
  }

  template <class Items> auto due(Items& items) {
    std::vector<typename Items::value_type> found;
    for (auto i = items.begin(); i != items.end();)
      if (i->date <= now) {
        found.push_back(*i);
        i = items.erase(i);
      } else
        ++i;
    return found;
  }

  /// Number of steps at this date. Notices of a reset at that date come after it.
  int due_now() const {
    int due = 0;
    const auto count = [&](Date date) { due += date <= now ? 1 : 0; };
    for (const auto* transfers : {&small_, &flows_})
      for (const Transfer& t : *transfers) count(t.date);
    for (const auto& [t, date] : arriving_) count(date);
    for (const Ack& a : acks_) count(a.date);
    for (const auto* notes : {&syns_, &answers_, &asks_, &connects_})
      for (const Note& n : *notes) count(n.date);
    for (const auto& c : connections_)
      for (const End& e : c->ends) count(e.owes_since == never ? never : e.owes_since + Time(p_.delayed_ack_ms).ps());
    return due;
  }

  void happen() {
    if (due_now() > 1) undecided = std::min(undecided, now);
    const std::size_t before = seen.size();
    // the longest waiting one is first
    for (const auto& c : connections_)
      for (End& e : c->ends)
        if (e.owes_since != never && e.owes_since + Time(p_.delayed_ack_ms).ps() <= now) say(e, e.got);
    for (const Transfer& t : due(small_)) left(t, t.enters_at + flight(*t.from));
    serve();
    for (const Transfer& t : due(flows_)) left(t, now + flight(*t.from));
    for (auto i = arriving_.begin(); i != arriving_.end();)
      if (i->second <= now) {
        const Transfer t = i->first;
        i = arriving_.erase(i);
        arrive(t);
      } else
        ++i;
    for (const Ack& a : due(acks_))
      if (a.to->alive) {
        acknowledged(*a.to, a.upto);
        send(*a.to);
      }
    for (const Note& n : due(syns_)) syn(n);
    for (const Note& n : due(answers_)) establish(*n.end);
    for (const Note& n : due(connects_))
      if (n.end->alive) syns_.push_back({n.end, now + flight(*n.end), n.attempt});
    for (const Note& n : due(resets_)) lose(*n.end);
    for (const Note& n : due(asks_)) {
      if (ports[n.end->peer->at] == Port::silent)
        ask(*n.end, n.attempt + 1);
      else
        resets_.push_back({n.end, now + flight(*n.end)});
    }
    for (std::size_t i = before, end = seen.size(); i < end; ++i)
      if (const Seen s = seen[i]; s.what == Seen::message) then(s);
  }

  void left(const Transfer& t, Date arrives) {
    End& e = *t.from;
    e.busy = false;
    if (!e.alive) return;
    e.last_arrival = std::max(e.last_arrival, arrives);
    arriving_.push_back({t, e.last_arrival});
    send(e);
  }

  void arrive(const Transfer& t) {
    End& from = *t.from;
    End& e = *from.peer;
    if (!e.alive) {
      if (ports[e.at] != Port::silent)
        resets_.push_back({&from, now + flight(from)});
      else if (from.alive && !from.asking)
        ask(from, 0);
      return;
    }
    acknowledged(e, t.acks);
    std::int64_t at_once = 0;
    for (const std::int64_t size : t.segments) {
      e.got += size;
      const bool quick = e.quick > 0;
      if (quick) --e.quick;
      if (quick || Time(p_.delayed_ack_ms) == Time{} || e.got - e.confirmed >= 2 * p_.mss_bytes.number) {
        at_once = e.confirmed = e.got;
        e.owes_since = never;
      } else if (e.owes_since == never)
        e.owes_since = now;
    }
    while (!from.messages.empty() && from.messages.front().first <= e.got) {
      seen.push_back({Seen::message, now, e.at, from.at, from.messages.front().second});
      from.forgotten = from.messages.front().first;
      from.messages.pop_front();
    }
    if (at_once > 0) acks_.push_back({&from, at_once, now + flight(from)});
    send(e);
  }

  void say(End& e, std::int64_t upto) {
    e.confirmed = upto;
    e.owes_since = never;
    acks_.push_back({e.peer, upto, now + flight(e)});
  }

  void syn(const Note& n) {
    End& e = *n.end;
    if (!e.alive) return;
    End& to = *e.peer;
    if (ports[to.at] == Port::closed) resets_.push_back({&e, now + flight(e)});
    if (ports[to.at] == Port::silent) {
      if (n.attempt == p_.retries)
        lose(e);
      else
        connects_.push_back({&e, now + patience(Time(p_.connect_retry_ms).ps(), n.attempt), n.attempt + 1});
    }
    if (ports[to.at] != Port::open) return;
    answers_.push_back({&e, now + flight(e)});
    End* old = find(to.at, e.at);
    to.alive = true;
    to.begun = now;
    if (old != nullptr && !old->open) { // both have begun
      const bool came_too_early = old->begun + flight(e) < now;
      answers_.push_back({&to, (came_too_early ? now : old->begun) + 2 * flight(e)});
      to.to_write = std::exchange(old->to_write, {});
      to.unopened = std::exchange(old->unopened, {});
      to.copied = old->copied;
      to.messages = std::exchange(old->messages, {});
      old->alive = false;
      return;
    }
    if (old != nullptr) lose(*old);
    establish(to);
  }
  void establish(End& e) {
    if (!e.alive || e.open) return;
    e.open = true;
    for (const std::int64_t bytes : std::exchange(e.unopened, {})) offer(e, bytes);
    send(e);
  }

  void ask(End& e, std::int64_t attempt) {
    if (!e.alive) return;
    e.asking = true;
    if (attempt == p_.retries) return lose(e);
    asks_.push_back({&e, now + patience(Time(p_.retry_ms).ps(), attempt) + flight(e), attempt});
  }
  static Date patience(Date first, std::int64_t attempt) {
    const Date most = std::max<Date>(first, 120'000'000'000'000);
    for (; attempt > 0; --attempt) first = std::min(2 * first, most);
    return first;
  }

  TcpParams p_;
  std::function<Date(int, int)> flight_;
  Date byte_;
  Date slowness_;
  std::list<std::unique_ptr<Connection>> connections_;
  std::list<Transfer> small_;
  std::list<Transfer> flows_;
  std::list<std::pair<Transfer, Date>> arriving_;
  std::list<Ack> acks_;
  std::list<Note> syns_, answers_, resets_, asks_, connects_;
  std::map<int, Date> in_;
};

} // namespace hypermon::testing
