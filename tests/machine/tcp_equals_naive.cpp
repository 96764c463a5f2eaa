// SPDX-License-Identifier: BSD-3-Clause
// TCP against the naive one: random messages in both directions between four ports, answers, every mechanism on and
// off, processes that end, computers that go off and come back. The interfaces' counters of bytes grow meanwhile. A
// failure prints the smallest case that RapidCheck finds.
//
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
//   HYPERMON_TEST_SEED   another seed than the fixed one
#include "hw/machine/tcp.hpp"
#include "tests/catch.hpp"
#include "tests/machine/naive_tcp.hpp"
#include "tests/random.hpp"
#include "tests/rounds.hpp"

#include <ostream>
#include <string>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

constexpr int places = 4;
// Odd numbers of picoseconds, so that only related steps have the same date.
constexpr std::int64_t byte = 1009;
constexpr std::int64_t slowness = 3;
constexpr std::int64_t horizon = 3'000'000'000'000;

std::int64_t flight(int a, int b) { return 100'003 + 17'011 * (a + b) + 3'001 * a * b; }
Address port(int place) { return {Place::node(NodeId{static_cast<std::uint32_t>(place)}), 1}; }
int place_of(const Address& at) { return static_cast<int>(at.place.number); }

struct Action {
  enum Kind { stream, close, off, open } kind;
  std::int64_t when;
  int at;
  int to;
  std::vector<std::int64_t> writes;
};

struct TcpCase {
  TcpParams params;
  std::vector<Action> actions;
  std::vector<int> opened; // at the begin
  int answers;             // number of messages between answers; 0: no answers
};

TcpCase random_case(Random& r) {
  TcpCase c{};
  TcpParams& p = c.params;
  p.mss_bytes = r.pick({10, 100, 1460});
  p.header_bytes = r.pick({0, 7, 78});
  p.nagle = r.pick({Nagle::off, Nagle::rfc896, Nagle::linux_2_2, Nagle::minshall});
  p.delayed_ack_ms = r.pick({0, 1, 40});
  p.quick_acks = r.pick({0, 0, 1, 5});
  p.buffer_kb = static_cast<double>(r.pick({1, 150, 2000, 65536})) / 1000;
  p.burst_segments = r.pick({1, 2, 16});
  p.flow_bytes = r.pick({0, 200, 1538, 1'000'000});
  p.retry_ms = r.pick({1, 200});
  p.connect_retry_ms = r.pick({3, 500});
  p.retries = r.pick({0, 2, 15});
  c.answers = static_cast<int>(r.pick({0, 1, 3}));
  for (int place = 0; place < places; ++place)
    if (!r.one_in(6)) c.opened.push_back(place);
  const std::int64_t wide = r.pick({3'000'000, 100'000'000, 30'000'000'000, 1'000'000'000'000});
  for (std::int64_t i = r.between(1, 25); i > 0; --i) {
    Action d{
        r.one_in(8) ? r.pick({Action::close, Action::off, Action::open}) : Action::stream, r.below(wide), 0, 0, {}};
    d.at = static_cast<int>(r.below(places));
    d.to = static_cast<int>((d.at + 1 + r.below(places - 1)) % places);
    for (std::int64_t w = r.between(1, 3); w > 0; --w) d.writes.push_back(r.between(1, r.pick({20, 300, 5000})));
    c.actions.push_back(d);
  }
  std::stable_sort(c.actions.begin(), c.actions.end(), [](auto& a, auto& b) { return a.when < b.when; });
  return c;
}

std::ostream& operator<<(std::ostream& to, const TcpCase& c) {
  const TcpParams& p = c.params;
  to << "mss " << p.mss_bytes.number << ", header " << p.header_bytes.number << ", nagle " << word(p.nagle)
     << ", delayed " << p.delayed_ack_ms.number << ", quick " << p.quick_acks << ", buffer " << p.buffer_kb
     << ", burst " << p.burst_segments << ", flow " << p.flow_bytes.number << ", retry " << p.retry_ms.number << "/"
     << p.connect_retry_ms.number << " x" << p.retries << ", answers " << c.answers << ", open";
  for (const int place : c.opened) to << " " << place;
  for (const Action& d : c.actions) {
    constexpr const char* kinds[] = {"stream", "close", "off", "open"};
    to << "\n  " << d.when << ": " << kinds[d.kind] << " " << d.at;
    if (d.kind != Action::stream) continue;
    to << " to " << d.to << ":";
    for (const std::int64_t w : d.writes) to << " " << w;
  }
  return to << "\n";
}

/// Ports, links without contention but at interfaces, and what is seen.
class World final : public Tcp::Below {
public:
  explicit World(const TcpParams& params) : tcp_(params, agenda_, *this) {}

  Tcp::Way way(NetworkId, const Place& from, const Place& to) override {
    return {Time::from_ps(flight(static_cast<int>(from.number), static_cast<int>(to.number))), 1e12 / byte};
  }
  Passages::Id carry(NetworkId, const Place& from, const Place& to, std::int64_t bytes, Time flight,
                     std::function<void()> left) override {
    const Time now = agenda_.now();
    const Time ends = now + Time::from_ps(bytes * byte * slowness);
    agenda_.at(ends, std::move(left));
    return pass({}, from, to, bytes, flight, {now, ends}, {now, ends});
  }
  Passages::Id pass(NetworkId, const Place& from, const Place& to, std::int64_t bytes, Time flight, Passages::Span out,
                    Passages::Span in) override {
    return passages_.add({from.number, to.number, bytes, flight, out, in});
  }
  void count_sent(Passages::Id passage, std::int64_t) override {
    const auto& own = passages_.leaves(passage, agenda_.now());
    if (own.out.ends != agenda_.now()) wrong = "a transfer leaves at another date than its last byte";
    counted_[own.from].sent += own.bytes;
  }
  void count_received(Passages::Id passage, std::int64_t) override {
    const auto own = passages_.arrives(passage);
    if (own.in.ends + own.flight > agenda_.now()) wrong = "a transfer arrives before its last byte";
    counted_[own.to].received += own.bytes;
  }
  void interrupt(const Place&, Time) override {}
  Tcp::Port port(const Address& at) const override {
    const auto found = ports.find(place_of(at));
    return found == ports.end() ? Tcp::Port::closed : found->second;
  }
  void deliver(const Address& to, Datagram datagram) override {
    if (port(to) != Tcp::Port::open) return;
    const Seen::What what = datagram.reset ? Seen::reset : Seen::message;
    const int id = datagram.reset ? -1 : std::any_cast<int>(datagram.content);
    seen.push_back({what, agenda_.now().ps(), place_of(to), place_of(datagram.from), id});
  }

  void stream(int from, int to, const std::vector<std::int64_t>& writes, int id) {
    tcp_.stream(NetworkId{}, ::port(from), ::port(to), writes, id, [this, from, to, id] {
      seen.push_back({Seen::taken, agenda_.now().ps(), from, to, id});
    });
  }
  void close(int at, bool silent) {
    ports[at] = silent ? Tcp::Port::silent : Tcp::Port::closed;
    tcp_.close(::port(at), silent ? Closed::silent : Closed::resets);
  }
  void run(std::int64_t until) {
    for (; agenda_.next().ps() <= until;) {
      const std::size_t before = seen.size();
      const Time next = agenda_.next();
      agenda_.advance(next - 1_ps); // nothing happens
      check_counters();
      agenda_.advance(next);
      check_counters();
      for (std::size_t i = before, end = seen.size(); i < end; ++i)
        if (const Seen s = seen[i]; s.what == Seen::message) then(s);
    }
    agenda_.advance(Time::from_ps(until));
  }

  std::vector<Seen> seen;
  std::map<int, Tcp::Port> ports;
  std::function<void(const Seen&)> then;
  std::string wrong; // differences, including those of the byte counters

private:
  /// Counters grow, and only by the bytes that pass.
  void check_counters() {
    Passages::Bytes all;
    for (std::size_t place = 0; place < places; ++place) {
      Passages::Bytes now = passages_.passed(place, agenda_.now(), [](auto&&) {});
      now.sent += counted_[place].sent;
      now.received += counted_[place].received;
      if (now.sent < shown_[place].sent || now.received < shown_[place].received) wrong = "a counter shrinks";
      shown_[place] = now;
      all.sent += now.sent;
      all.received += now.received;
    }
    if (all.received > all.sent) wrong = "more bytes have arrived than left";
  }

  Passages passages_{places};
  std::array<Passages::Bytes, places> counted_{};
  std::array<Passages::Bytes, places> shown_{};
  Agenda agenda_;
  Tcp tcp_;
};

/// All that either model's ports receive. Things at one date may be in any order.
template <class Any, class Port> std::vector<Seen> seen_by(Any& any, const TcpCase& c, Port open) {
  constexpr int answer = 1'000'000; // numbers from here on are answers, which are not answered
  any.then = [&](const Seen& s) {
    if (c.answers > 0 && s.id < answer && s.id % c.answers == 0)
      any.stream(s.at, s.from, {1 + s.id % 50}, s.id + answer);
  };
  for (const int place : c.opened) any.ports[place] = open;
  int id = 0;
  for (const Action& d : c.actions) {
    any.run(d.when);
    switch (d.kind) {
    case Action::stream:
      any.ports[d.at] = open; // as Networks::stream() does
      any.stream(d.at, d.to, d.writes, id++);
      break;
    case Action::close:
    case Action::off:
      any.close(d.at, d.kind == Action::off);
      break;
    case Action::open:
      any.ports[d.at] = open;
    }
  }
  any.run(horizon);
  auto seen = any.seen;
  std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return std::tie(a.when, a.what, a.at, a.from, a.id) < std::tie(b.when, b.what, b.at, b.from, b.id);
  });
  return seen;
}

std::string difference(const std::vector<Seen>& real, const std::vector<Seen>& naive) {
  constexpr const char* whats[] = {"message", "reset", "taken"};
  const auto text = [&](const std::vector<Seen>& all, std::size_t i) {
    if (i >= all.size()) return std::string("nothing");
    const Seen& s = all[i];
    return std::string(whats[s.what]) + " " + std::to_string(s.id) + " at " + std::to_string(s.at) + " from " +
           std::to_string(s.from) + ", date " + std::to_string(s.when);
  };
  for (std::size_t i = 0; i < std::max(real.size(), naive.size()); ++i)
    if (i >= real.size() || i >= naive.size() || real[i] != naive[i])
      return "TCP: " + text(real, i) + "; naive: " + text(naive, i);
  return "";
}

} // namespace

TEST_CASE("random messages over connections arrive, wait and fail as in a naive model of TCP") {
  const std::uint64_t wanted = cases_wanted(2000);
  std::uint64_t compared = 0;
  std::uint64_t decided = 0; // to their ends
  std::map<Seen::What, std::uint64_t> kinds;
  const auto one = [&]() -> std::string {
    Random r(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
    const TcpCase c = random_case(r);
    World world(c.params);
    NaiveTcp naive(c.params, flight, byte, slowness);
    auto real = seen_by(world, c, Tcp::Port::open);
    auto expected = seen_by(naive, c, NaiveTcp::Port::open);
    for (auto* seen : {&real, &expected})
      std::erase_if(*seen, [&](const Seen& s) { return s.when >= naive.undecided; });
    const std::string what = difference(real, expected);
    ++compared;
    decided += naive.undecided == NaiveTcp::never ? 1 : 0;
    for (const Seen& s : real) ++kinds[s.what];
    if (what.empty() && world.wrong.empty()) return "";
    std::ostringstream text;
    text << c << what << world.wrong;
    return text.str();
  };
  check_in_rounds(
      16, [&] { return compared >= wanted; }, one);
  CHECK(decided > wanted / 2);
  for (const Seen::What what : {Seen::message, Seen::reset, Seen::taken}) CHECK(kinds[what] > wanted / 2);
}
