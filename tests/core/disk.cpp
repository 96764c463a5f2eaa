// SPDX-License-Identifier: BSD-3-Clause
// The disk against a naive one that steps through time.
#include "hw/core/disk.hpp"

#include "tests/catch.hpp"

#include <random>
#include <vector>

using namespace hypermon;

namespace {

/// Small numbers: 10 bytes a turn of 40 ps, 4 ps a byte.
DiskGeometry tiny(DiskGeometry::Rotation rotation) {
  DiskGeometry g;
  g.mb_per_s = 250000; // 4 ps a byte
  g.turn = 40_ps;
  g.rotation = rotation;
  g.near = 25;
  g.track_to_track = 3_ps;
  g.average_seek = 17_ps;
  return g;
}

struct Request {
  std::int64_t at; // ps
  std::int64_t address;
  std::int64_t bytes;
};

/// Steps picosecond by picosecond: the platters turn, the arm moves, bytes pass. Returns every request's end.
std::vector<std::int64_t> naive(const DiskGeometry& g, const std::vector<Request>& requests) {
  std::vector<std::int64_t> ends;
  std::int64_t now = 0;
  std::int64_t head = -1;
  for (const Request& r : requests) {
    while (now < r.at) ++now;
    std::int64_t move = 0;
    if (r.address != head) {
      const std::int64_t distance = r.address > head ? r.address - head : head - r.address;
      move = head >= 0 && distance < g.near ? g.track_to_track.ps() : g.average_seek.ps();
    }
    while (move-- > 0) ++now;
    if (g.rotation == DiskGeometry::Rotation::half_turn && r.address != head) now += g.turn.ps() / 2;
    if (g.rotation == DiskGeometry::Rotation::position) // byte b of a track begins to pass at 4 b of every turn
      while (now % g.turn.ps() != r.address % 10 * 4) ++now;
    for (std::int64_t b = 0; b < r.bytes; ++b) now += 4;
    head = r.address + r.bytes;
    ends.push_back(now);
  }
  return ends;
}

} // namespace

TEST_CASE("each request takes as long as on a naive disk that steps through time") {
  std::mt19937_64 random(14);
  for (const auto rotation :
       {DiskGeometry::Rotation::none, DiskGeometry::Rotation::half_turn, DiskGeometry::Rotation::position})
    for (int round = 0; round < 200; ++round) {
      std::vector<Request> requests;
      std::int64_t at = 0;
      std::int64_t behind = 0;
      for (int i = 0; i < 20; ++i) {
        at += static_cast<std::int64_t>(random() % 150);
        const std::int64_t address = random() % 3 == 0 ? behind : static_cast<std::int64_t>(random() % 200);
        requests.push_back({at, address, static_cast<std::int64_t>(random() % 30)});
        behind = address + requests.back().bytes;
      }
      FifoDisk disk(tiny(rotation));
      std::vector<std::int64_t> ends;
      for (const Request& r : requests) ends.push_back(disk.ask(Time::from_ps(r.at), r.address, r.bytes).end.ps());
      CHECK(ends == naive(tiny(rotation), requests));
    }
}

TEST_CASE("an operation that continues where the last one ended takes its transfer alone, if it comes at once") {
  for (const auto rotation : {DiskGeometry::Rotation::half_turn, DiskGeometry::Rotation::position}) {
    FifoDisk disk(tiny(rotation));
    const Time first = disk.ask(0_ps, 100, 7).end;
    CHECK(disk.ask(0_ps, 107, 9).end == first + 36_ps);
  }
  FifoDisk late(tiny(DiskGeometry::Rotation::position));
  const Time first = late.ask(0_ps, 100, 7).end;
  CHECK(late.ask(first + 1_ps, 107, 9).end == first + 40_ps + 36_ps); // a whole turn
}

TEST_CASE("with a full stroke the arm's way grows with the square root of the distance") {
  DiskGeometry g = tiny(DiskGeometry::Rotation::none);
  g.full_seek = 103_ps;
  g.capacity = 10000;
  Disk disk(g);
  disk.access(0_ps, 0, 0); // the arm is at 0
  CHECK(disk.seek(24) == 3_ps);
  CHECK(disk.seek(2500) == 3_ps + 50_ps); // half of the way from 3 to 103 at a quarter of the disk
  CHECK(disk.seek(10000) == 103_ps);
  CHECK(disk.seek(0) == 0_ps);
}
