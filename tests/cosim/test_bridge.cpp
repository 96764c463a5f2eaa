// SPDX-License-Identifier: BSD-3-Clause
// SimGrid and SystemC, coupled both ways. One process, one elaboration: one case.
#include "hw/cosim/bridge.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/cosim/simgrid_date.hpp"

#include "tests/catch.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace hypermon;
namespace sg4 = simgrid::s4u;

/// A FIFO of four places from which one item leaves every 3.2 us. A put into a full one waits.
struct Fifo : sc_core::sc_module {
  struct Put {
    std::uint64_t number;
    sg4::SemaphorePtr done;
  };
  static constexpr std::size_t places = 4;
  std::size_t used = 0;
  std::deque<Put> waiting;
  std::vector<Time> accepted_at;
  sc_core::sc_event filled;

  SC_HAS_PROCESS(Fifo);
  explicit Fifo(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(drain); }

  void put(Put p) {
    if (used < places)
      accept(p);
    else
      waiting.push_back(p);
  }
  void accept(const Put& p) {
    ++used;
    filled.notify();
    accepted_at.at(p.number) = Bridge::systemc_now();
    p.done->release(); // runs in SimGrid's maestro: the actor wakes at this date
  }
  void drain() {
    for (;;) {
      while (used == 0) wait(filled);
      wait(sc_core::sc_time(3200, sc_core::SC_NS));
      --used;
      if (waiting.empty()) continue;
      const Put next = waiting.front();
      waiting.pop_front();
      accept(next);
    }
  }
};

constexpr int producers = 4;
constexpr int rounds = 500;

} // namespace

TEST_CASE("an actor that waits for SystemC wakes at exactly the date at which SystemC lets it go") {
  std::string options[] = {"test", "--log=root.thres:critical",
                           "--cfg=" + std::string(simgrid_compat::precision_option) + ":1e-12"};
  char* argv[] = {options[0].data(), options[1].data(), options[2].data(), nullptr};
  int argc = 3;
  sg4::Engine engine(&argc, argv);
  auto* zone = simgrid_compat::add_full_zone("zone");
  auto* place = simgrid_compat::add_host(zone, "place", 1e9);
  zone->seal();

  Bridge bridge("bridge");
  Fifo fifo("fifo");
  fifo.accepted_at.resize(producers * rounds);
  std::vector<Time> woke_at(producers * rounds);
  std::vector<Time> posted_at;
  std::vector<Time> ran_at;

  for (int p = 0; p < producers; ++p)
    sg4::Actor::init("producer" + std::to_string(p), place)->start([&, p] {
      auto done = sg4::Semaphore::create(0);
      for (int i = 0; i < rounds; ++i) {
        if (i % 100 == 0) sg4::this_actor::sleep_for(1e-3 * (p + 1) + 1e-9 * i);
        const auto number = static_cast<std::uint64_t>(p * rounds + i);
        const Bridge::Feedback feedback(bridge);
        bridge.call([&fifo, number, done] { fifo.put({number, done}); });
        done->acquire();
        woke_at[number] = simgrid_now();
      }
    });
  // An actor whose own dates must not matter, and calls posted ahead of time.
  auto bystander = sg4::Actor::init("bystander", place);
  bystander->daemonize();
  bystander->start([&] {
    for (;;) {
      const Time when = simgrid_now() + 12345_ns;
      posted_at.push_back(when);
      bridge.post(when, [&] { ran_at.push_back(Bridge::systemc_now()); });
      sg4::this_actor::sleep_for(0.000777);
    }
  });

  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bridge.attach();
  engine.run();

  std::size_t waited = 0;
  for (std::size_t i = 0; i < woke_at.size(); ++i) {
    REQUIRE(woke_at[i] == fifo.accepted_at[i]);
    if (i % rounds > 0 && woke_at[i] > woke_at[i - 1]) ++waited;
  }
  CHECK(waited > producers * rounds / 2); // most puts found the FIFO full, or the case would show nothing
  REQUIRE(ran_at.size() + 1 >= posted_at.size());
  REQUIRE(!ran_at.empty());
  for (std::size_t i = 0; i < ran_at.size(); ++i) REQUIRE(ran_at[i] == posted_at[i]);
}
