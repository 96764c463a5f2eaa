// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/networks.hpp"
#include "hw/cosim/live_agenda.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/cosim/sleep.hpp"
#include "hw/machine/passages.hpp"
#include "hw/machine/tcp.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <set>
#include <stdexcept>
#include <utility>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;
using simgrid::kernel::timer::Timer;

/// Timer of a sleeping actor; removed if the actor is killed meanwhile.
struct Alarm {
  Timer* timer = nullptr;
  Alarm() = default;
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() {
    if (timer != nullptr) timer->remove();
  }
};

/// Passage of an actor that carries bytes; dropped if the actor is killed meanwhile.
struct Carrying {
  Passages& all;
  Passages::Id passage = Passages::none;
  ~Carrying() { all.drop(passage); }
};

struct Port {
  std::deque<Datagram> arrived;
  sg4::SemaphorePtr waiting;
};

/// A datagram on its way to a port.
struct Flying {
  Time arrives;
  std::uint64_t number; // number of the send
  Address to;
  Passages::Id passage; // no passage if both ends are at one place
  Datagram datagram;
  bool operator<(const Flying& other) const {
    return arrives != other.arrives ? arrives > other.arrives : number > other.number;
  }
};

} // namespace

struct Networks::State final : Tcp::Below {
  Machine& machine;
  Places places;
  std::vector<std::string> names;
  std::vector<std::vector<InterfaceCounts>> counts; // by network and place
  Passages passages;                                // bytes that `counts` does not include yet
  std::map<Address, Port> ports{};
  std::priority_queue<Flying> flying{};
  std::uint64_t sends = 0;
  std::uint64_t lost = 0;
  std::set<Address> silent{}; // ports of computers that are off
  std::function<void(NodeId, Time)> kernel_work{};
  LiveAgenda live{}; // for TCP
  Tcp tcp;

  State(const Spec& spec, Machine& own_machine)
      : machine(own_machine), places(spec), names(network_names(spec)), counts(names.size()),
        passages(names.size() * places.count()), tcp(spec.get<TcpParams>(), live.agenda(), *this) {
    for (auto& interfaces : counts) interfaces.resize(places.count());
  }

  std::size_t find(const Place& place) const {
    if (const auto found = places.find(place)) return *found;
    throw std::logic_error(Places::text(place) + ": no such place");
  }
  std::size_t interface(NetworkId network, const Place& place) const {
    return static_cast<std::size_t>(network) * places.count() + find(place);
  }
  InterfaceCounts& counts_of(std::size_t interface) {
    return counts.at(interface / places.count()).at(interface % places.count());
  }
  /// Puts all datagrams that arrive by `date` into their ports.
  void land(Time date) {
    for (; !flying.empty() && flying.top().arrives <= date; flying.pop()) {
      auto& next = const_cast<Flying&>(flying.top()); // top() is const; popped next
      if (next.passage != Passages::none) count_received(next.passage, 1);
      deliver(next.to, std::move(next.datagram));
    }
  }
  void deliver(const Address& to, Datagram datagram) override {
    const auto port = ports.find(to);
    if (port == ports.end()) {
      ++lost;
      return;
    }
    port->second.arrived.push_back(std::move(datagram));
    if (port->second.waiting) port->second.waiting->release();
  }
  void check_way(NetworkId network, const Place& from, const Place& to) const {
    if (!places.reaches(network, from) || !places.reaches(network, to))
      throw std::logic_error("no way from " + Places::text(from) + " to " + Places::text(to) + " on " +
                             names[static_cast<std::size_t>(network)]);
  }
  sg4::Host* host(const Place& place) const {
    if (place.kind == Place::Kind::node) return machine.node(NodeId{place.number});
    return place.kind == Place::Kind::host ? machine.host() : machine.beside(place.number);
  }
  /// SimGrid's host for the place's interface to the network.
  sg4::Host* interface_host(NetworkId network, const Place& place) const {
    return network == NetworkId{} ? host(place) : lan(network).interface(find(place));
  }
  const Lan& lan(NetworkId network) const { return machine.lans()[static_cast<std::size_t>(network) - 1]; }

  // --- TCP -----------------------------------------------------------------------------------------------------------
  Tcp::Way way(NetworkId network, const Place& from, const Place& to) override {
    check_way(network, from, to);
    if (from == to) return {{}, HUGE_VAL};
    const auto [latency, bytes_per_s] = machine.way(interface_host(network, from), interface_host(network, to));
    return {network == NetworkId{} ? latency : lan(network).latency(find(from), find(to)), bytes_per_s};
  }
  Passages::Id carry(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, Time flight,
                     std::function<void()> left) override {
    const auto* carrier = machine.start_transfer(interface_host(network, from), interface_host(network, to), bytes,
                                                 [this, left = std::move(left)] { live.do_now(left); });
    return passages.add(interface(network, from), interface(network, to), bytes, flight, carrier, simgrid_now());
  }
  Passages::Id pass(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, Time flight,
                    Passages::Span out, Passages::Span in) override {
    return passages.add({interface(network, from), interface(network, to), bytes, flight, out, in});
  }
  void count_sent(Passages::Id passage, std::int64_t segments) override {
    const Passages::Passage& own = passages.leaves(passage, simgrid_now());
    InterfaceCounts& interface = counts_of(own.from);
    interface.sent_bytes += static_cast<std::uint64_t>(own.bytes);
    interface.sent_packets += static_cast<std::uint64_t>(segments);
  }
  void count_received(Passages::Id passage, std::int64_t segments) override {
    const Passages::Passage own = passages.arrives(passage);
    InterfaceCounts& interface = counts_of(own.to);
    interface.received_bytes += static_cast<std::uint64_t>(own.bytes);
    interface.received_packets += static_cast<std::uint64_t>(segments);
  }
  /// Result of carry() when the last byte has left: that byte then takes `flight` to arrive.
  struct Sent {
    Passages::Id passage = Passages::none;
    Time flight{};
  };
  Sent carry(NetworkId network, const Place& from, const Place& to, std::int64_t bytes) {
    if (from == to) return {};
    check_way(network, from, to);
    const Time flight = network == NetworkId{} ? Time{} : lan(network).latency(find(from), find(to));
    Carrying carrying{passages};
    machine.transfer(interface_host(network, from), interface_host(network, to), bytes, [&](const auto* carrier) {
      carrying.passage =
          passages.add(interface(network, from), interface(network, to), bytes, flight, carrier, simgrid_now());
    });
    const Passages::Id passage = std::exchange(carrying.passage, Passages::none);
    count_sent(passage, 1);
    return {passage, flight};
  }
  void interrupt(const Place& place, Time work) override {
    if (place.kind == Place::Kind::node && kernel_work) kernel_work(NodeId{place.number}, work);
  }
  Tcp::Port port(const Address& at) const override {
    if (ports.contains(at)) return Tcp::Port::open;
    return silent.contains(at) ? Tcp::Port::silent : Tcp::Port::closed;
  }
};

Networks::Networks(const Spec& spec, Machine& machine) : state_(new State(spec, machine)) {}
Networks::~Networks() = default;

std::size_t Networks::count() const { return state_->names.size(); }

const std::string& Networks::name(NetworkId network) const {
  return state_->names.at(static_cast<std::size_t>(network));
}

NetworkId Networks::named(const std::string& name, const std::string& path) const {
  return network_of(state_->names, name, path);
}

const Places& Networks::places() const { return state_->places; }

sg4::Host* Networks::host(const Place& place) const {
  state_->find(place);
  return state_->host(place);
}

void Networks::carry_and_land(NetworkId network, const Place& from, const Place& to, std::int64_t bytes) {
  if (from == to) return;
  const State::Sent sent = state_->carry(network, from, to, bytes);
  if (sent.flight > Time{}) actor_sleeps_until((simgrid_now() + sent.flight).seconds());
  state_->count_received(sent.passage, 1);
}

void Networks::start(NetworkId network, const Place& from, const Place& to, std::int64_t bytes,
                     std::function<void()> arrived) {
  if (from == to) {
    set_timer(simgrid_now(), std::move(arrived));
    return;
  }
  const Time flight = state_->way(network, from, to).flight;
  const auto passage = std::make_shared<Passages::Id>();
  *passage = state_->carry(network, from, to, bytes, flight, [this, passage, flight, arrived = std::move(arrived)] {
    state_->count_sent(*passage, 1);
    set_timer(simgrid_now() + flight, [this, passage, arrived] {
      state_->count_received(*passage, 1);
      arrived();
    });
  });
}

void Networks::send(NetworkId network, const Address& from, const Address& to, std::int64_t bytes, std::any content) {
  const std::uint64_t number = state_->sends++;
  Datagram datagram{from, bytes, simgrid_now(), std::move(content)};
  const State::Sent sent = state_->carry(network, from.place, to.place, bytes);
  const Time arrives = simgrid_now() + sent.flight;
  state_->flying.push({arrives, number, to, sent.passage, std::move(datagram)});
  set_timer(arrives, [this, arrives] { state_->land(std::max(arrives, simgrid_now())); });
}

bool Networks::hand_over(const Address& to, std::any content) {
  if (!state_->ports.contains(to)) return false;
  state_->deliver(to, {{to.place, 0}, 0, simgrid_now(), std::move(content)});
  return true;
}

void Networks::stream(NetworkId network, const Address& from, const Address& to,
                      const std::vector<std::int64_t>& writes, std::any content) {
  open(from);
  struct Room {
    bool is_there = false;
    sg4::SemaphorePtr waiting{};
  };
  const auto room = std::make_shared<Room>(); // outlives the actor if that is killed meanwhile
  simgrid_compat::in_maestro([&] {
    state_->live.do_now([&] {
      state_->tcp.stream(network, from, to, writes, std::move(content), [room] {
        room->is_there = true;
        if (room->waiting) room->waiting->release();
      });
    });
  });
  if (room->is_there) return;
  room->waiting = sg4::Semaphore::create(0);
  room->waiting->acquire();
}

void Networks::open(const Address& at) {
  if (state_->ports.try_emplace(at).second) state_->silent.erase(at);
}
void Networks::close(const Address& at, Closed how) {
  if (how == Closed::silent) state_->silent.insert(at);
  const auto port = state_->ports.find(at);
  if (port != state_->ports.end()) {
    if (port->second.waiting) port->second.waiting->release();
    state_->ports.erase(port);
  }
  simgrid_compat::in_maestro([&] { state_->live.do_now([&] { state_->tcp.close(at, how); }); });
}
void Networks::on_kernel_work(std::function<void(NodeId, Time)> work) { state_->kernel_work = std::move(work); }

std::optional<Datagram> Networks::receive(const Address& at, Time until) {
  open(at);
  if (state_->ports.at(at).arrived.empty() && simgrid_now() < until) {
    const auto waiting = state_->ports.at(at).waiting = sg4::Semaphore::create(0);
    Alarm alarm;
    if (until != Time::never())
      alarm.timer = set_timer(until, [this, until, &alarm, waiting] {
        alarm.timer = nullptr;
        state_->land(until);
        waiting->release();
      });
    waiting->acquire();
  }
  const auto port = state_->ports.find(at);
  if (port == state_->ports.end()) return std::nullopt; // the port has been closed meanwhile
  port->second.waiting = nullptr;
  if (port->second.arrived.empty()) return std::nullopt;
  Datagram first = std::move(port->second.arrived.front());
  port->second.arrived.pop_front();
  return first;
}

InterfaceCounts Networks::interface(NetworkId network, const Place& place) const {
  const std::size_t interface = state_->interface(network, place);
  InterfaceCounts found = state_->counts_of(interface);
  const Passages::Bytes under_way = state_->passages.passed(interface, simgrid_now(), [](auto&& moved) {
    simgrid_compat::for_transfers_under_way(
        [&](double /*size*/, double /*start*/, const void* carrier, double bytes) { moved(carrier, bytes); });
  });
  found.sent_bytes += static_cast<std::uint64_t>(under_way.sent);
  found.received_bytes += static_cast<std::uint64_t>(under_way.received);
  return found;
}

InterfaceCounts Networks::carried(NetworkId network) const {
  InterfaceCounts all;
  for (const InterfaceCounts& one : state_->counts[static_cast<std::size_t>(network)]) {
    all.sent_bytes += one.sent_bytes;
    all.sent_packets += one.sent_packets;
    all.received_bytes += one.received_bytes;
    all.received_packets += one.received_packets;
  }
  return all;
}

std::uint64_t Networks::lost() const { return state_->lost; }

} // namespace hypermon
