// SPDX-License-Identifier: BSD-3-Clause
// What calls of the file system take, by the paper's simulator and by PVFS, derived trip by trip.
#include "tests/catch.hpp"
#include "tests/piosim/trips.hpp"
#include "tests/piosim/world.hpp"

using namespace hypermon;
using namespace hypermon::piosim;

namespace {

using Kind = FileRequest::Kind;

/// Preset piosim/real.
PiosimParams real() {
  PiosimParams params = paper();
  params.packets.edge_latency_us = 144;
  params.pfs.protocol = FileProtocol::pvfs;
  return params;
}

std::vector<FileRegion> every_other(std::int64_t regions, std::int64_t bytes) {
  std::vector<FileRegion> found;
  for (std::int64_t r = 0; r < regions; ++r) found.push_back({2 * r * bytes, bytes});
  return found;
}

Time disk_time(const PiosimParams& params, std::int64_t bytes) {
  return time_of(bytes, Rate::of_mib_per_s(params.disk.mib_per_s));
}
/// The first operation: an average seek; half a turn and the bytes are cut to whole nanoseconds together.
Time first_disk_time(const PiosimParams& params, std::int64_t bytes) {
  const auto rate = static_cast<std::int64_t>(params.disk.mib_per_s * 1048576);
  const std::int64_t turns = params.disk.turns_per_min;
  const std::int64_t both = (30'000'000'000 * rate + bytes * 1'000'000'000 * turns) / (turns * rate);
  return Time(params.disk.seek_ms) + Time::from_ns(both);
}

} // namespace

TEST_CASE("a read takes a step, the request, the disk and the way back") {
  const PiosimParams params = paper();
  World world(params);
  const FileId file = world->file("file");
  world->resize(file, 1000);
  CHECK(world.read("file", 0, 1000) ==
        step_time + one_way(params, 28) + first_disk_time(params, 1000) + one_way(params, 1000));
  // The next one continues where the first one has ended; there are no 1000 B any more.
  world->resize(file, 1400);
  FileAnswer answer;
  const Time took = world.call(Kind::read, "file", {{1000, 1000}}, &answer);
  CHECK(answer.bytes == 400);
  CHECK(took == step_time + one_way(params, 28) + disk_time(params, 400) + one_way(params, 400));
  // The file has no data there, which the library knows.
  CHECK(world.call(Kind::read, "file", {{1400, 1}}, &answer) == step_time);
  CHECK(answer.bytes == 0);
}

TEST_CASE("a flush comes behind what was written, and counts as an operation") {
  const PiosimParams params = paper();
  World world(params);
  const Time sent = world.write("file", 0, 1000);
  const Time took = world.call(Kind::flush, "file", {});
  const Time data_at_server = sent - step_time - one_way(params, 15);
  const Time disk_done = data_at_server + first_disk_time(params, 1000);
  CHECK(sent + took == disk_done + one_way(params, 15) + step_time);
  CHECK(world->file_clients().servers().front().cache().disk().operations == 2);
}

TEST_CASE("PVFS: small I/O takes one round trip, up to 16384 B and 64 regions") {
  const PiosimParams params = real();
  const auto small = [&](std::int64_t bytes, std::int64_t regions) {
    return 2 * step_time + one_way(params, 20 + 8 * regions + bytes) + one_way(params, 15);
  };
  World world(params);
  CHECK(world.write("file", 0, 512) == small(512, 1));
  CHECK(world.write("file", 512, 16384) == small(16384, 1));
  CHECK(world.write("file", 16896, 16385) > small(16385, 1) + 2 * one_way(params, 15));
  CHECK(world.call(Kind::write, "file", every_other(64, 8)) == small(512, 64));
  CHECK(world.call(Kind::write, "file", every_other(65, 8)) > small(520, 65) + 2 * one_way(params, 15));
  // 125 of 512 B and one of 72 are the paper's diagonal without the hint: it measured 63 to 78 ms.
  const Time diagonal = 125 * small(512, 1) + small(72, 1);
  CHECK(diagonal >= 63_ms);
  CHECK(diagonal <= 78_ms);
}

TEST_CASE("PVFS: a small read comes in the reply, a large one behind it") {
  const PiosimParams params = real();
  World world(params);
  world->resize(world->file("file"), 1 << 20);
  CHECK(world.read("file", 0, 512) ==
        step_time + one_way(params, 28) + first_disk_time(params, 512) + one_way(params, 15 + 512) + step_time);
  CHECK(world.read("file", 512, 65536) ==
        step_time + one_way(params, 28) + disk_time(params, 65536) + one_way(params, 65536) + step_time);
}

TEST_CASE("PVFS: larger data wait for the server's reply, the acknowledgement for the disk") {
  PiosimParams params = real();
  const Time until_there = step_time + one_way(params, 28) + one_way(params, 15) + one_way(params, 64072);
  World world(params);
  CHECK(world.write("file", 0, 64072) ==
        until_there + first_disk_time(params, 64072) + one_way(params, 15) + step_time);
  CHECK(world.write("file", 64072, 64072) == until_there + disk_time(params, 64072) + one_way(params, 15) + step_time);
  params.pfs.flow_until = FlowUntil::accepted;
  World accepting(params);
  CHECK(accepting.write("file", 0, 64072) == until_there + one_way(params, 15) + step_time);
}

TEST_CASE("PVFS: a flow has at most 8 buffers at TROVE, and has them all where the disk is slower than the network") {
  PiosimParams params = real();
  World fast(params);
  fast.write("file", 0, 20 << 20);
  const ServerCounts& counts = fast->file_clients().servers().front().counts();
  CHECK(counts.most_pending < 8); // the first seek keeps it for 14 ms: 4 buffers' time on the network
  CHECK(counts.flow_stalls == 0);
  params.disk.mib_per_s = 20;
  World slow(params);
  const Time took = slow.write("file", 0, 20 << 20);
  CHECK(slow->file_clients().servers().front().counts().most_pending == 8);
  CHECK(slow->file_clients().servers().front().counts().flow_stalls > 10);
  CHECK(took.seconds() == Approx(1).epsilon(0.1)); // the disk's rate
  params.pfs.flow_buffers = 3;
  World few(params);
  few.write("file", 0, 20 << 20);
  CHECK(few->file_clients().servers().front().counts().most_pending == 3);
}

TEST_CASE("a full disk takes what fits, and nothing more") {
  for (const FileProtocol protocol : {FileProtocol::simulator, FileProtocol::pvfs}) {
    PiosimParams params = paper();
    params.pfs.protocol = protocol;
    params.pfs.servers = 2;
    params.pfs.stripe_bytes = 100;
    params.disk.capacity_mib = 150.0 / 1048576; // a stripe and a half
    World world(params);
    FileAnswer answer;
    world.call(Kind::write, "a", {{0, 200}}, &answer);
    CHECK(answer.error == FileAnswer::Error::none);
    CHECK(answer.bytes == 200);
    // Server 0 has room for 50 B, then the file cannot become longer there.
    world.call(Kind::write, "a", {{200, 30}, {230, 30}, {260, 10}}, &answer);
    CHECK(answer.error == FileAnswer::Error::no_space);
    CHECK(answer.bytes == 50);
    CHECK(world->size(world->file("a")) == 250);
    world.call(Kind::write, "a", {{250, 1}}, &answer);
    CHECK(answer.error == FileAnswer::Error::no_space);
    CHECK(answer.bytes == 0);
    world.call(Kind::write, "a", {{0, 250}}, &answer); // what is there already needs no room
    CHECK(answer.error == FileAnswer::Error::none);
    world->remove(world->file("a"));
    world.call(Kind::write, "b", {{0, 200}}, &answer);
    CHECK(answer.error == FileAnswer::Error::none);
  }
}

TEST_CASE("a server without room stops what is sent to it until its disk has made some") {
  PiosimParams params = paper();
  params.cache.memory_mib = 1100000.0 / 1048576;
  params.disk.mib_per_s = 10;
  World world(params);
  const Time took = world.write("file", 0, 10'000'000);
  world.run();
  const FileServer& server = world->file_clients().servers().front();
  CHECK(server.counts().stopped > 0_ms);
  CHECK(server.cache().counts().most_bytes < 1100000);
  CHECK(took.seconds() == Approx(0.9).epsilon(0.15)); // all but the last 1.1 MB at the disk's rate
  CHECK(server.cache().disk().written_bytes == 10'000'000);
  params.cache.model = CacheModel::none;
  World none(params);
  none.write("file", 0, 10'000'000);
  none.run();
  CHECK(none->file_clients().servers().front().cache().disk().operations == 100); // packet by packet
}

TEST_CASE("jobs share a station's processors") {
  PiosimParams params = paper();
  World world(params);
  std::vector<std::int64_t> ends;
  const auto ended = [&] { ends.push_back(world.now().ps() / 1000); };
  world->step(Station{0}, ended);
  world->step(Station{0}, ended);
  world->step(Station{1}, ended);
  world.run();
  CHECK(ends == std::vector<std::int64_t>{1001, 2001, 2001});
  params.cpu.processors = 2;
  World two(params);
  ends.clear();
  const auto two_ended = [&] { ends.push_back(two.now().ps() / 1000); };
  for (int job = 0; job < 3; ++job) two->work(Station{0}, 2, two_ended);
  two.run();
  CHECK(ends == std::vector<std::int64_t>{3001, 3001, 3001}); // 3 jobs of 2 us on 2 processors
  params.cpu.model = PioCpuModel::ideal;
  World ideal(params);
  const Time without = one_way(params, 4) + one_way(params, 15); // no step to wait for but the request's own time
  CHECK(ideal.write("file", 0, 4) >= without);
  CHECK(ideal.write("file", 4, 4) < without + 3 * step_time);
}

TEST_CASE("an ideal network leaves the steps and the disk") {
  PiosimParams params = paper();
  params.packets.network = PacketModel::ideal;
  World world(params);
  CHECK(world.write("file", 0, 100'000'000) == 3 * step_time);
  params.disk.model = DiskModel::ideal;
  World nothing(params);
  nothing.write("file", 0, 100'000'000);
  CHECK(nothing.read("file", 0, 100'000'000) == step_time);
}

TEST_CASE("servers may run on the clients' computers: then nothing leaves them") {
  PiosimParams params = paper();
  params.pfs.place = ServerPlace::nodes;
  World world(params);
  const auto stage = [&](std::int64_t bytes, double rate) { return time_of(bytes, Rate::of_mib_per_s(rate)); };
  const PacketParams& p = params.packets;
  const auto inside = [&](std::int64_t bytes) {
    return 2 * stage(bytes, p.interface_mib_per_s) +
           2 * (stage(bytes, p.internal_mib_per_s) + whole_ns(p.internal_latency_us)) +
           stage(bytes, p.memory_mib_per_s);
  };
  CHECK(world->stations() == 1);
  CHECK(world.write("file", 0, 1000) == 3 * step_time + inside(1000) + inside(15));
}
