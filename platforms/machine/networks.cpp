#include "platforms/machine/networks.hpp"
#include "platforms/cosim/simgrid_date.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <stdexcept>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;
using simgrid::kernel::timer::Timer;

/// Of an actor that sleeps; gone with it, if it is killed meanwhile.
struct Alarm {
  Timer* timer = nullptr;
  Alarm() = default;
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() {
    if (timer != nullptr) timer->remove();
  }
};

struct Port {
  std::deque<Datagram> arrived;
  sg4::SemaphorePtr waiting;
};

/// A datagram on its way to a port.
struct Flying {
  Time arrives;
  std::uint64_t number; // of the send
  Address to;
  InterfaceCounts* receiver; // none within a place
  Datagram datagram;
  bool operator<(const Flying& other) const {
    return arrives != other.arrives ? arrives > other.arrives : number > other.number;
  }
};

} // namespace

struct Networks::State {
  Machine& machine;
  Places places;
  std::vector<std::string> names;
  std::vector<std::vector<InterfaceCounts>> counts; // by network and place
  std::map<Address, Port> ports{};
  std::priority_queue<Flying> flying{};
  std::uint64_t sends = 0;
  std::uint64_t lost = 0;

  std::size_t find(const Place& place) const {
    if (const auto found = places.find(place)) return *found;
    throw std::logic_error(Places::text(place) + ": no such place");
  }
  InterfaceCounts& counts_of(NetworkId network, const Place& place) {
    return counts.at(static_cast<std::size_t>(network)).at(find(place));
  }
  /// All that arrives by `date` is at its port.
  void land(Time date) {
    for (; !flying.empty() && flying.top().arrives <= date; flying.pop()) {
      auto& next = const_cast<Flying&>(flying.top()); // top() is const, and about to be popped
      if (next.receiver != nullptr) count_arrival(*next.receiver, next.datagram.bytes);
      const auto port = ports.find(next.to);
      if (port == ports.end()) {
        ++lost;
        continue;
      }
      port->second.arrived.push_back(std::move(next.datagram));
      if (port->second.waiting) port->second.waiting->release();
    }
  }
  static void count_arrival(InterfaceCounts& interface, std::int64_t bytes) {
    interface.received_bytes += static_cast<std::uint64_t>(bytes);
    ++interface.received_packets;
  }
};

Networks::Networks(const Spec& spec, Machine& machine)
    : state_(new State{machine, Places(spec), network_names(spec), {}}) {
  state_->counts.assign(count(), std::vector<InterfaceCounts>(state_->places.count()));
}
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
  if (place.kind == Place::Kind::node) return state_->machine.node(NodeId{place.number});
  return place.kind == Place::Kind::host ? state_->machine.host() : state_->machine.beside(place.number);
}

Time Networks::carry(NetworkId network, const Place& from, const Place& to, std::int64_t bytes) {
  if (from == to) return {};
  if (!places().reaches(network, from) || !places().reaches(network, to))
    throw std::logic_error("no way from " + Places::text(from) + " to " + Places::text(to) + " on " + name(network));
  Time flight;
  if (network == NetworkId{}) {
    state_->machine.transfer(host(from), host(to), bytes);
  } else {
    const Lan& lan = state_->machine.lans()[static_cast<std::size_t>(network) - 1];
    const std::size_t here = state_->find(from);
    const std::size_t there = state_->find(to);
    state_->machine.transfer(lan.interface(here), lan.interface(there), bytes);
    flight = lan.latency(here, there);
  }
  InterfaceCounts& sender = state_->counts_of(network, from);
  sender.sent_bytes += static_cast<std::uint64_t>(bytes);
  ++sender.sent_packets;
  return flight;
}

void Networks::carry_and_land(NetworkId network, const Place& from, const Place& to, std::int64_t bytes) {
  if (from == to) return;
  const Time flight = carry(network, from, to, bytes);
  if (flight > Time{}) sg4::this_actor::sleep_until((simgrid_now() + flight).seconds());
  State::count_arrival(state_->counts_of(network, to), bytes);
}

void Networks::send(NetworkId network, const Address& from, const Address& to, std::int64_t bytes, std::any content) {
  const std::uint64_t number = state_->sends++;
  Datagram datagram{from, bytes, simgrid_now(), std::move(content)};
  const Time flight = carry(network, from.place, to.place, bytes);
  const Time arrives = simgrid_now() + flight;
  InterfaceCounts* receiver = from.place == to.place ? nullptr : &state_->counts_of(network, to.place);
  state_->flying.push({arrives, number, to, receiver, std::move(datagram)});
  set_timer(arrives, [this, arrives] { state_->land(std::max(arrives, simgrid_now())); });
}

void Networks::open(const Address& at) { state_->ports.try_emplace(at); }
void Networks::close(const Address& at) {
  const auto port = state_->ports.find(at);
  if (port == state_->ports.end()) return;
  if (port->second.waiting) port->second.waiting->release();
  state_->ports.erase(port);
}

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
  if (port == state_->ports.end()) return std::nullopt; // somebody has closed it
  port->second.waiting = nullptr;
  if (port->second.arrived.empty()) return std::nullopt;
  Datagram first = std::move(port->second.arrived.front());
  port->second.arrived.pop_front();
  return first;
}

const InterfaceCounts& Networks::interface(NetworkId network, const Place& place) const {
  return state_->counts_of(network, place);
}

std::uint64_t Networks::lost() const { return state_->lost; }

} // namespace hypermon
