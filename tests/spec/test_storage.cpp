// SPDX-License-Identifier: BSD-3-Clause
// A file server's queue and files, without a network.
#include "hw/machine/storage.hpp"

#include "tests/catch.hpp"

#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace hypermon;

namespace {

/// Nothing but 1 us a byte, and 10 us for each move of the arm.
DiskParams plain_disk() {
  DiskParams disk;
  disk.mb_per_s = 1;
  disk.seek_ms = 0.01;
  disk.near_mb = 0;
  disk.rotation = DiskGeometry::Rotation::none;
  return disk;
}

Time us(std::int64_t n) { return Time::from_ns(n * 1000); }

struct Write {
  std::int64_t date; ///< us
  char file;
  std::int64_t bytes; ///< bytes of a file beyond its last full extent
};

/// The end of each of them, in us: a server that is checked every microsecond, and its plain disk.
class NaiveServer {
public:
  NaiveServer(std::vector<Write> all, std::int64_t look) : writes(std::move(all)), look_takes(look) {}
  std::vector<std::int64_t> ends() {
    std::vector<std::int64_t> ends(writes.size());
    std::size_t arrived = 0;
    for (std::int64_t now = 0, left = std::ssize(writes); left > 0; ++now) {
      if (disk_left > 0 && --disk_left == 0) ends[on_disk] = now, --left;
      if (look_left > 0 && --look_left == 0) hand_on();
      for (; arrived < writes.size() && writes[arrived].date == now; ++arrived) unseen.push_back(arrived);
      while (look_takes == 0 && !unseen.empty()) hand_on();
      if (look_left == 0 && !unseen.empty()) look_left = look_takes;
      if (disk_left == 0 && !seen.empty()) begin();
    }
    return ends;
  }

private:
  void hand_on() {
    seen.push_back(unseen.front());
    unseen.pop_front();
  }
  void begin() {
    on_disk = seen.front();
    seen.pop_front();
    const Write& write = writes[on_disk];
    const std::int64_t address = place.try_emplace(write.file, std::ssize(place) * extent).first->second;
    disk_left = (address == head ? 0 : 10) + write.bytes;
    place[write.file] = head = address + write.bytes;
  }

  static constexpr std::int64_t extent = 64'000'000;
  std::vector<Write> writes;
  std::int64_t look_takes;
  std::deque<std::size_t> unseen, seen;
  std::map<char, std::int64_t> place; // place after the data of each file
  std::int64_t look_left = 0, disk_left = 0, head = -1;
  std::size_t on_disk = 0;
};

} // namespace

TEST_CASE("a file lies in extents that files take in turn") {
  FileLayout files(100);
  CHECK(files.append("a", 70).size() == 1);
  CHECK(files.append("b", 10)[0].address == 100);
  const auto pieces = files.append("a", 60); // 30 in its first extent, 30 in the next that is free
  REQUIRE(pieces.size() == 2);
  CHECK((pieces[0].address == 70 && pieces[0].bytes == 30));
  CHECK((pieces[1].address == 200 && pieces[1].bytes == 30));
  CHECK(files.size("a") == 130);
  CHECK(files.taken_with("b", 90) == 300);
  CHECK(files.taken_with("b", 91) == 400);
  files.append("c", 250); // three extents in a row are one piece
  CHECK(files.find("c", 50, 200).size() == 1);
}

TEST_CASE("requests are looked at one after the other, and the disk does them in the order of their arrival") {
  ServerParams params;
  params.request_us = 5;
  StorageServer server(params, plain_disk());
  const auto a = server.write(us(0), "a", 100);
  const auto b = server.write(us(1), "a", 50);
  const auto done = server.advance(us(1000));
  REQUIRE(done.size() == 2);
  CHECK(done[0].request == a);
  CHECK(done[0].end == us(5 + 10 + 100));
  CHECK(done[1].request == b);
  CHECK(done[1].end == us(5 + 10 + 100 + 50)); // it continues at the end of the first one
  CHECK(server.counts().operations == 2);
  CHECK(server.counts().longest_queue == 2);
  CHECK(server.counts().disk_busy == us(160));
  CHECK(server.next() == Time::never());
}

TEST_CASE("a read gets what is in the file, at the end nothing") {
  StorageServer server({}, plain_disk());
  server.write(us(0), "a", 100);
  server.advance(us(500));
  CHECK(server.readable("a", 60, 100) == 40);
  CHECK(server.readable("a", 100, 10) == 0);
  CHECK(server.readable("b", 0, 10) == 0);
  const auto r = server.read(us(1000), "a", 60, 100);
  const auto end = server.read(us(1000), "a", 100, 10);
  const auto done = server.advance(us(2000));
  REQUIRE(done.size() == 2);
  CHECK(done[0].request == end); // the disk has no work for it
  CHECK(done[0].end == us(1000));
  CHECK(done[1].request == r);
  CHECK(done[1].end == us(1000 + 10 + 40));
}

TEST_CASE("a request in several extents ends with its last piece") {
  ServerParams params;
  params.extent_mb = 1;
  StorageServer server(params, plain_disk());
  server.write(us(0), "a", 600'000);
  server.write(us(0), "b", 10);
  const auto last = server.write(us(0), "a", 600'000); // 400 000 bytes in its first extent, the others after b's
  const auto done = server.advance(us(2'000'000));
  REQUIRE(done.size() == 3);
  CHECK(done[1].end == us(10 + 600'000 + 10 + 10));
  CHECK(done[2].request == last);
  CHECK(done[2].end == done[1].end + us(10 + 400'000 + 10 + 200'000));
}

TEST_CASE("requests end at the times of a naive server that steps through time, for any steps of the simulation") {
  std::mt19937_64 random(14);
  for (int round = 0; round < 200; ++round) {
    ServerParams params;
    const auto look = static_cast<std::int64_t>(random() % 3 == 0 ? 0 : random() % 200);
    params.request_us = static_cast<double>(look);
    StorageServer eager(params, plain_disk());
    StorageServer lazy(params, plain_disk());
    std::vector<StorageServer::Done> one;
    std::vector<Write> writes;
    std::int64_t date = 0;
    for (int i = 0; i < 20; ++i) {
      date += static_cast<std::int64_t>(random() % 100);
      const Write write{date, static_cast<char>('a' + random() % 3), 1 + static_cast<std::int64_t>(random() % 100)};
      for (Time t = eager.next(); t <= us(date) && t != Time::never(); t = eager.next())
        for (const auto& d : eager.advance(t)) one.push_back(d);
      eager.write(us(date), std::string(1, write.file), write.bytes);
      lazy.write(us(date), std::string(1, write.file), write.bytes);
      writes.push_back(write);
    }
    for (Time t = eager.next(); t != Time::never(); t = eager.next())
      for (const auto& d : eager.advance(t)) one.push_back(d);
    const auto all = lazy.advance(us(1000000));
    const auto expected = NaiveServer(writes, look).ends();
    REQUIRE(all.size() == writes.size());
    REQUIRE(one.size() == writes.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK((all[i].request == one[i].request && all[i].end == one[i].end));
      CHECK(all[i].end == us(expected.at(all[i].request)));
    }
  }
}
