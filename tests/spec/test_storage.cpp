// A file server's queue and files, without a network.
#include "sw/model/storage.hpp"

#include "tests/catch.hpp"

#include <random>

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
  CHECK(done[1].end == us(5 + 10 + 100 + 50)); // goes on where the first one ended
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
  CHECK(done[0].request == end); // the disk has nothing to do for it
  CHECK(done[0].end == us(1000));
  CHECK(done[1].request == r);
  CHECK(done[1].end == us(1000 + 10 + 40));
}

TEST_CASE("however a server is advanced, its requests end at the same dates") {
  std::mt19937_64 random(14);
  for (int round = 0; round < 100; ++round) {
    ServerParams params;
    params.request_us = static_cast<double>(random() % 30);
    StorageServer eager(params, plain_disk());
    StorageServer lazy(params, plain_disk());
    std::vector<StorageServer::Done> one;
    Time date;
    for (int i = 0; i < 20; ++i) {
      date += us(static_cast<std::int64_t>(random() % 100));
      const std::string file(1, static_cast<char>('a' + random() % 3));
      const auto bytes = static_cast<std::int64_t>(random() % 100);
      for (Time t = eager.next(); t <= date && t != Time::never(); t = eager.next())
        for (const auto& d : eager.advance(t)) one.push_back(d);
      eager.write(date, file, bytes);
      lazy.write(date, file, bytes);
    }
    for (Time t = eager.next(); t != Time::never(); t = eager.next())
      for (const auto& d : eager.advance(t)) one.push_back(d);
    const auto all = lazy.advance(us(1000000));
    REQUIRE(all.size() == one.size());
    for (std::size_t i = 0; i < all.size(); ++i) CHECK((all[i].request == one[i].request && all[i].end == one[i].end));
  }
}
