// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/tcp.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace hypermon {
namespace {

constexpr Time longest_patience = Time::from_ns(120'000'000'000); // Linux's TCP_RTO_MAX

} // namespace

Tcp::Key Tcp::key(const Ptr& connection, Side side) {
  return {connection->ends[side].at, connection->network, connection->ends[other(side)].at};
}

void Tcp::stream(NetworkId network, const Address& from, const Address& to, const std::vector<std::int64_t>& writes,
                 std::any content, std::function<void()> taken) {
  const auto bytes = std::accumulate(writes.begin(), writes.end(), std::int64_t{});
  if (bytes <= 0 || std::any_of(writes.begin(), writes.end(), [](std::int64_t b) { return b < 0; }))
    throw std::logic_error("a message over a connection has at least a byte");
  const Socket own = socket(network, from, to);
  End& end = own.connection->ends[own.side];
  end.written += bytes;
  end.messages.push_back({end.written, {from, bytes, agenda_.now(), std::move(content)}});
  end.out.write(writes, std::move(taken));
  pump(own.connection, own.side);
}

/// Returns the connection's socket; makes the connection if there is none.
Tcp::Socket Tcp::socket(NetworkId network, const Address& from, const Address& to) {
  if (const auto found = sockets_.find({from, network, to}); found != sockets_.end()) return found->second;
  const auto end = [this](const Address& at) {
    return End{.at = at, .out = TcpSender(params_), .in = TcpReceiver(params_)};
  };
  Socket made{std::make_shared<Connection>(
                  Connection{network, below_.way(network, from.place, to.place), {end(from), end(to)}}),
              0};
  add(made);
  connect(made.connection, made.side, 0);
  return made;
}

/// Sends the first segment, and repeats it if there is no answer.
void Tcp::connect(const Ptr& connection, Side side, std::int64_t attempt) {
  agenda_.at(agenda_.now() + connection->way.flight, [this, connection, side, attempt] {
    if (!connection->ends[side].is_there) return;
    switch (below_.port(connection->ends[other(side)].at)) {
    case Port::open:
      return accept(connection, side);
    case Port::closed:
      return agenda_.at(agenda_.now() + connection->way.flight, [=, this] { refuse(connection, side); });
    case Port::silent:
      if (attempt == params_.retries) return break_off(connection, side);
      agenda_.at(agenda_.now() + patience(params_.connect_retry_ms, attempt),
                 [=, this] { connect(connection, side, attempt + 1); });
    }
  });
}

void Tcp::accept(const Ptr& connection, Side side) {
  const Side to = other(side);
  const auto found = sockets_.find(key(connection, to));
  const Socket old = found != sockets_.end() ? found->second : Socket{nullptr, 0};
  if (old.connection != nullptr && !old.connection->ends[old.side].out.is_open()) {
    take_over({connection, to}, old);
  } else {
    if (old.connection != nullptr) break_off(old.connection, old.side); // the other end has begun a new connection
    add({connection, to});
    connection->ends[to].out.open();
  }
  agenda_.at(agenda_.now() + connection->way.flight, [this, connection, side] { open(connection, side); });
}

/// Both ends have begun a connection. This end moves to the other's connection and still awaits the answer to its first
/// segment or, if that arrived before the other end listened, to its own answer.
void Tcp::take_over(const Socket& socket, const Socket& old) {
  End& end = socket.connection->ends[socket.side];
  End& before = old.connection->ends[old.side];
  const Time flight = socket.connection->way.flight;
  const Time answered = agenda_.now() <= before.begun + flight ? before.begun : agenda_.now();
  std::swap(end.out, before.out);
  std::swap(end.messages, before.messages);
  std::swap(end.written, before.written);
  remove(old.connection, old.side);
  add(socket);
  agenda_.at(answered + 2 * flight, [this, socket] { open(socket.connection, socket.side); });
}

void Tcp::add(const Socket& socket) {
  End& end = socket.connection->ends[socket.side];
  end.is_there = true;
  end.begun = agenda_.now();
  sockets_.emplace(key(socket.connection, socket.side), socket);
}

void Tcp::open(const Ptr& connection, Side side) {
  End& end = connection->ends[side];
  if (!end.is_there || end.out.is_open()) return;
  end.out.open();
  pump(connection, side);
}

/// Sends the segments that wait for the interface, one transfer after the other.
void Tcp::pump(const Ptr& connection, Side side) {
  End& end = connection->ends[side];
  if (end.sends || !end.is_there || !end.out.is_open()) return;
  auto segments = end.out.take();
  if (segments.empty()) return;
  const auto data = std::accumulate(segments.begin(), segments.end(), std::int64_t{});
  const auto count = static_cast<std::int64_t>(segments.size());
  end.sends = true;
  begin(connection, side,
        std::make_shared<Transfer>(Transfer{std::move(segments), data, data + count * params_.header_bytes.number,
                                            end.in.owes() ? end.in.acknowledge() : 0}));
}

void Tcp::begin(const Ptr& connection, Side side, const std::shared_ptr<Transfer>& transfer) {
  const Place& from = connection->ends[side].at.place;
  const Place& to = connection->ends[other(side)].at.place;
  if (const Time work = params_.segment_us; work > Time{})
    below_.interrupt(from, static_cast<std::int64_t>(transfer->segments.size()) * work);
  if (from == to) // it takes no time, but follows everything that is due now
    return agenda_.at(agenda_.now(), [=, this] { left(connection, side, transfer, agenda_.now()); });
  if (transfer->bytes <= params_.flow_bytes.number) return queue(connection, side, transfer);
  transfer->passage = below_.carry(connection->network, from, to, transfer->bytes, connection->way.flight, [=, this] {
    left(connection, side, transfer, agenda_.now() + connection->way.flight);
  });
}

/// Queues the transfer at the interface where it leaves and, while it passes, at the other one.
void Tcp::queue(const Ptr& connection, Side side, const std::shared_ptr<Transfer>& transfer) {
  const Time takes = Time::from_seconds_rounded(static_cast<double>(transfer->bytes) / connection->way.bytes_per_s);
  Time& out = interfaces_[{connection->network, connection->ends[side].at.place}].out;
  const Time begins = std::max(agenda_.now(), out);
  out = begins + takes;
  agenda_.at(begins, [=, this] {
    const Time now = agenda_.now();
    const Place& from = connection->ends[side].at.place;
    const Place& to = connection->ends[other(side)].at.place;
    Time& in = interfaces_[{connection->network, to}].in;
    in = std::max(now, in) + takes;
    transfer->passage = below_.pass(connection->network, from, to, transfer->bytes, connection->way.flight,
                                    {now, now + takes}, {in - takes, in});
    agenda_.at(now + takes,
               [=, this, arrives = in + connection->way.flight] { left(connection, side, transfer, arrives); });
  });
}

void Tcp::left(const Ptr& connection, Side side, const std::shared_ptr<Transfer>& transfer, Time arrives) {
  End& end = connection->ends[side];
  end.sends = false;
  const auto count = static_cast<std::int64_t>(transfer->segments.size());
  const Passages::Id passage = transfer->passage;
  if (passage != Passages::none) below_.count_sent(passage, count);
  if (!end.is_there) { // its computer went off or its process ended, so the rest is not sent
    if (passage != Passages::none) agenda_.at(arrives, [=, this] { below_.count_received(passage, count); });
    return;
  }
  end.last_arrival = std::max(end.last_arrival, arrives);
  agenda_.at(end.last_arrival, [=, this] { arrive(connection, side, *transfer); });
  pump(connection, side);
}

void Tcp::arrive(const Ptr& connection, Side side, const Transfer& transfer) {
  const Side to = other(side);
  End& here = connection->ends[to];
  const auto count = static_cast<std::int64_t>(transfer.segments.size());
  if (transfer.passage != Passages::none) below_.count_received(transfer.passage, count);
  if (!here.is_there) {
    if (below_.port(here.at) == Port::silent) return ask_again(connection, side, 0);
    return agenda_.at(agenda_.now() + connection->way.flight, [=, this] { refuse(connection, side); });
  }
  if (const Time work = params_.segment_us; work > Time{}) below_.interrupt(here.at.place, count * work);
  here.out.acknowledge(transfer.acknowledges);
  std::int64_t at_once = here.in.receive(transfer.segments);
  if (here.at.place == connection->ends[side].at.place) at_once = here.in.acknowledge();
  deliver(connection->ends[side], here);
  if (at_once > 0) acknowledge(connection, to, at_once);
  put_off(connection, to);
  pump(connection, to);
}

void Tcp::deliver(End& from, End& to) {
  for (auto& all = from.messages; !all.empty() && all.front().end <= to.in.received(); all.pop_front())
    below_.deliver(to.at, std::move(all.front().datagram));
}

void Tcp::put_off(const Ptr& connection, Side side) {
  End& end = connection->ends[side];
  if (!end.in.owes()) return;
  agenda_.at(agenda_.now() + Time(params_.delayed_ack_ms), [this, connection, side, known = end.in.acknowledgements()] {
    End& own = connection->ends[side];
    if (own.is_there && own.in.owes() && own.in.acknowledgements() == known)
      acknowledge(connection, side, own.in.acknowledge());
  });
}

/// Sends a segment without data, which takes the time of flight and no bandwidth.
void Tcp::acknowledge(const Ptr& connection, Side side, std::int64_t upto) {
  agenda_.at(agenda_.now() + connection->way.flight, [this, connection, to = other(side), upto] {
    End& end = connection->ends[to];
    if (!end.is_there) return;
    end.out.acknowledge(upto);
    pump(connection, to);
  });
}

/// The computer at the other end is off: unacknowledged data are sent again until they are answered.
void Tcp::ask_again(const Ptr& connection, Side side, std::int64_t attempt) {
  End& end = connection->ends[side];
  if (!end.is_there || (attempt == 0 && end.asks)) return;
  end.asks = true;
  if (attempt == params_.retries) return break_off(connection, side);
  agenda_.at(agenda_.now() + patience(params_.retry_ms, attempt) + connection->way.flight, [=, this] {
    if (below_.port(connection->ends[other(side)].at) == Port::silent) return ask_again(connection, side, attempt + 1);
    agenda_.at(agenda_.now() + connection->way.flight, [=, this] { refuse(connection, side); });
  });
}

Time Tcp::patience(Time first, std::int64_t attempt) {
  const Time most = std::max(first, longest_patience);
  for (; attempt > 0 && first < most; --attempt) first = 2 * first;
  return std::min(first, most);
}

/// The computer there does not know the connection and answers with a reset.
void Tcp::refuse(const Ptr& connection, Side side) {
  if (connection->ends[side].is_there) break_off(connection, side);
}

void Tcp::remove(const Ptr& connection, Side side) {
  End& end = connection->ends[side];
  end.is_there = false;
  sockets_.erase(key(connection, side));
  end.out.close();
}

void Tcp::break_off(const Ptr& connection, Side side) {
  remove(connection, side);
  const End& end = connection->ends[side];
  below_.deliver(end.at, {.from = connection->ends[other(side)].at, .bytes = 0, .sent = agenda_.now(), .reset = true});
}

void Tcp::close(const Address& at, Closed how) {
  for (auto next = sockets_.lower_bound({at, {}, {}}); next != sockets_.end() && next->first.own == at;
       next = sockets_.lower_bound({at, {}, {}})) {
    const auto [connection, side] = next->second;
    remove(connection, side);
    if (how == Closed::silent) {
      if (connection->ends[other(side)].out.awaits()) ask_again(connection, other(side), 0);
      continue;
    }
    const Time told = std::max(agenda_.now() + connection->way.flight, connection->ends[side].last_arrival);
    agenda_.at(told, [=, this, connection = connection, side = side] { refuse(connection, other(side)); });
  }
}

} // namespace hypermon
