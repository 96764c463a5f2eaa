// SPDX-License-Identifier: BSD-3-Clause
// Quick sleeps against SimGrid's own: random actors, whose dates meet on purpose, do the same in both.
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/cosim/sleep.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include "tests/catch.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace hypermon;
using namespace hypermon::test;
namespace sg4 = simgrid::s4u;
using Random = hypermon::testing::Random;

constexpr std::size_t hosts = 3;
constexpr double latency = 0x1p-20; // sums of such dates are exact, so that many are equal

struct World {
  Random random;
  double precision;
  std::array<sg4::Host*, hosts> host{};
  std::vector<sg4::ActorPtr> victims;
  std::vector<double> seen; // by actor: the times of its steps

  explicit World(std::uint64_t seed, double p) : random(seed), precision(p) {}
  void see(double who, double what) {
    seen.push_back(who);
    seen.push_back(what);
    seen.push_back(sg4::Engine::get_clock());
  }
  /// A duration on the grid, or next to it by less or more than the precision.
  double duration() {
    const double on_grid = static_cast<double>(random.below(4)) * latency;
    return random.one_in(3) ? on_grid + static_cast<double>(random.below(8)) * precision / 4 : on_grid;
  }
};

void set_timer_in(double duration, std::function<void()> action) {
  simgrid::kernel::timer::Timer::set(sg4::Engine::get_clock() + duration, std::move(action));
}

void act(World& w, std::size_t number) {
  const auto self = static_cast<double>(number);
  for (int step = 0; step < 30; ++step) {
    switch (w.random.below(8)) {
    case 0: { // woken by a timer
      const auto done = sg4::Semaphore::create(0);
      set_timer_in(w.duration(), [&w, self, done] {
        w.see(self, -1);
        done->release();
      });
      done->acquire();
      break;
    }
    case 1: // wait for a transfer that takes only the latency
      sg4::Comm::sendto_async(w.host[number % hosts], w.host[(number + 1) % hosts], 0)->wait();
      break;
    case 2: {
      const auto transfer = sg4::Comm::sendto_async(w.host[number % hosts], w.host[(number + 2) % hosts], 0);
      actor_sleeps_for(w.duration()); // the transfer continues during the sleep
      w.see(self, step + 0.5);
      transfer->wait();
      break;
    }
    case 3:
      sg4::this_actor::yield();
      break;
    case 4:
      if (!w.victims.empty() && w.random.one_in(3)) {
        w.victims.back()->kill();
        w.victims.pop_back();
      }
      break;
    case 5:
      actor_sleeps_until(sg4::Engine::get_clock() + w.duration());
      break;
    default:
      actor_sleeps_for(w.duration());
    }
    w.see(self, step);
  }
}

std::vector<double> simulate(std::uint64_t seed, bool quickly) {
  World w(seed, seed % 2 == 0 ? 1e-12 : 1e-9);
  const std::string precision = seed % 2 == 0 ? "1e-12" : "1e-9";
  std::vector<std::string> words{"test_sleep", "--log=root.thres:critical",
                                 std::string("--cfg=") + simgrid_compat::precision_option + ":" + precision,
                                 "--cfg=network/TCP-gamma:0", "--cfg=network/weight-S:0"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int count = static_cast<int>(words.size());
  sg4::Engine engine(&count, arguments.data());
  auto* zone = simgrid_compat::add_full_zone("world");
  for (std::size_t h = 0; h < hosts; ++h) w.host[h] = simgrid_compat::add_host(zone, "h" + std::to_string(h), 1e9);
  for (std::size_t a = 0; a < hosts; ++a)
    for (std::size_t b = a + 1; b < hosts; ++b) {
      auto* link = simgrid_compat::add_link(zone, std::to_string(a) + "-" + std::to_string(b), 1e9, latency, true);
      simgrid_compat::add_route(zone, simgrid_compat::end_at(w.host[a]), simgrid_compat::end_at(w.host[b]),
                                {sg4::LinkInRoute(link)});
    }
  zone->seal();
  if (quickly) actors_sleep_quickly();

  const double start = w.random.pick<double>({0, 0x1p-10, 1000, 100000}); // there doubles are coarser than 1e-12 s
  for (std::size_t n = 0; n < 5; ++n)
    sg4::Actor::init("actor", w.host[n % hosts])->start([&w, n, start] {
      actor_sleeps_until(start);
      act(w, n);
    });
  for (std::size_t n = 5; n < 8 && start < 1; ++n) {
    auto victim = sg4::Actor::init("victim", w.host[n % hosts]);
    victim->daemonize();
    victim->start([&w, n] {
      for (;;) {
        actor_sleeps_for(latency * static_cast<double>(n - 4));
        w.see(static_cast<double>(n), 0);
      }
    });
    w.victims.push_back(victim);
  }
  engine.run();
  w.see(-1, static_cast<double>(w.random.below(1000)));
  return w.seen;
}

} // namespace

TEST_CASE("actors that sleep quickly wake at the dates and in the order of SimGrid's own sleeps") {
  const std::uint64_t cases = hypermon::testing::cases_wanted(150);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    CAPTURE(seed);
    const auto own = in_child([seed] { return simulate(seed, false); });
    if (own.status != 0) continue; // SimGrid 3.32 crashes in one of a thousand, the first is 830
    ++compared;
    const auto quick = in_child([seed] { return simulate(seed, true); });
    REQUIRE(own.values.size() > 300);
    INFO(quick.errors);
    CHECK(quick.status == 0);
    const auto [a, b] = std::mismatch(own.values.begin(), own.values.end(), quick.values.begin(), quick.values.end());
    CAPTURE(a - own.values.begin(), own.values.size(), quick.values.size());
    CHECK((a == own.values.end() && b == quick.values.end()));
  }
  CHECK(100 * compared >= 99 * cases);
}
