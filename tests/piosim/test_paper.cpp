// SPDX-License-Identifier: BSD-3-Clause
// The run of the paper's section 7, driven at the platform itself: closed forms and totals of facts/hdtrace.md.
#include "tests/catch.hpp"
#include "tests/piosim/world.hpp"

using namespace hypermon;
using namespace hypermon::piosim;

namespace {

/// Facts: three steps, four latencies of the network and four inside computers, the bytes on two edges with the
/// acknowledgement on its two, and its copies; up to one packet.
double write_seconds(double bytes) {
  constexpr double mib_per_s = 1 << 20;
  const double copies = 2 / 12.8e9 + 2 / (36864 * mib_per_s) + 1 / (48000 * mib_per_s) + 2 / (7629 * mib_per_s);
  return 3 * 1.001e-6 + 4 * 287.5e-6 + 4 * 2.0931e-6 + (2 * bytes + 30) / (67 * mib_per_s) + copies * bytes;
}

constexpr std::int64_t diagonal = 8009 * 8;
constexpr std::int64_t matrix = 8009 * diagonal;

} // namespace

TEST_CASE("a write of one packet takes what the closed form says") {
  for (const std::int64_t bytes : {4LL, 32LL, 1000LL, 16384LL, 64072LL, 100000LL}) {
    World world(paper());
    const Time took = world.write("file", 0, bytes);
    CAPTURE(bytes, took.microseconds());
    // Every duration is cut to whole nanoseconds: 9 stages there, 9 back, 3 steps.
    CHECK(took.seconds() <= write_seconds(static_cast<double>(bytes)));
    CHECK(took.seconds() == Approx(write_seconds(static_cast<double>(bytes))).margin(25e-9));
  }
  World world(paper());
  CHECK(world.write("file", 0, 4).microseconds() == Approx(1161.9).margin(0.05));
  CHECK(world.write("file", 4, diagonal).microseconds() == Approx(3016.4).margin(0.05));
}

TEST_CASE("a checkpoint takes 7.3068 s, in 5132 packets that become 5110 operations") {
  World world(paper());
  const Time took = world.write("checkpoint", 0, matrix);
  CHECK(took.seconds() == Approx(7.3068).margin(0.00005));
  world.run();
  const FileServer& server = world->file_clients().servers().front();
  CHECK(server.counts().data_packets == 5132);
  CHECK(server.cache().disk().operations == 5110);
  CHECK(server.cache().counts().joined == 22);
}

TEST_CASE("the paper's run takes 37.1144 s, with 20482 disk operations of which 8 are average seeks") {
  World world(paper());
  const Time computing = Time::from_ns(390'000'000);
  std::int64_t end_of_progress = 0;
  const auto append = [&](std::int64_t bytes) {
    world.write("progress", end_of_progress, bytes);
    end_of_progress += bytes;
  };
  for (const std::int64_t bytes : {4, 4, 32}) append(bytes);
  int checkpoint = 0;
  for (int iteration = 1; iteration <= 20; ++iteration) {
    world.rest(computing);
    append(4);
    append(diagonal);
    if (iteration % 5 == 0) world.write(++checkpoint % 2 == 1 ? "checkpoint0" : "checkpoint1", 0, matrix);
  }
  const Time end = world.now();
  world.run();
  const FileServer& server = world->file_clients().servers().front();
  CHECK(end.seconds() == Approx(37.1144).margin(0.00005));
  CHECK(server.cache().disk().operations == 20482);
  CHECK(server.cache().counts().joined == 4 * 22 + 1); // the second and the third header: the disk still seeks
  CHECK(server.cache().disk().average_seeks == 8);
}
