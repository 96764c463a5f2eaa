// SPDX-License-Identifier: BSD-3-Clause
// Of what happens at one instant, the order is stated; what hangs on it.
#include "tests/catch.hpp"
#include "tests/piosim/world.hpp"

#include <algorithm>

using namespace hypermon;
using namespace hypermon::piosim;

namespace {

struct Outcome {
  std::vector<Time> returns;
  std::uint64_t operations = 0;
  std::int64_t written = 0;
  Time disk_busy;
};

/// Clients write 5 MB each to one file on one server, either at once or at intervals of `apart`.
Outcome write_at_once(Ties ties, std::uint32_t clients, Time apart = {}) {
  PiosimParams params = paper();
  params.packets.ties = ties;
  World world(params, clients);
  Outcome found;
  for (std::uint32_t c = 0; c < clients; ++c)
    world.at(apart * c, [&, c] {
      FileRequest request;
      request.node = c;
      request.file = world->file("file");
      request.regions = {{c * 5'000'000LL, 5'000'000}};
      world->submit(request, [&](FileAnswer) { found.returns.push_back(world.now()); });
    });
  world.run();
  const DiskCounts& disk = world->file_clients().servers().front().cache().disk();
  found.operations = disk.operations;
  found.written = disk.written_bytes;
  found.disk_busy = disk.busy;
  return found;
}

} // namespace

TEST_CASE("a client by itself does not notice in which order things of one instant happen") {
  const Outcome first = write_at_once(Ties::first_asked, 1);
  const Outcome last = write_at_once(Ties::last_asked, 1);
  CHECK(first.returns == last.returns);
  CHECK(first.disk_busy == last.disk_busy);
}

TEST_CASE("clients that do the same at once are served in their order, or in the other one") {
  const Outcome first = write_at_once(Ties::first_asked, 4);
  const Outcome last = write_at_once(Ties::last_asked, 4);
  CHECK(first.written == 20'000'000);
  CHECK(last.written == 20'000'000);
  CHECK(first.disk_busy != last.disk_busy); // the disk sees the packets in another order
  // The last one is done when the server's edge has carried all: whoever that is.
  CHECK(first.returns.back().seconds() == Approx(last.returns.back().seconds()).epsilon(0.02));
  CHECK(write_at_once(Ties::first_asked, 4).returns == first.returns); // again the same
}

TEST_CASE("started one after the other, they have no ties to break") {
  const Outcome first = write_at_once(Ties::first_asked, 4, Time::from_ns(12'345));
  const Outcome last = write_at_once(Ties::last_asked, 4, Time::from_ns(12'345));
  CHECK(first.written == last.written);
  CHECK(first.returns.back().seconds() == Approx(last.returns.back().seconds()).epsilon(0.02));
}
