// SPDX-License-Identifier: BSD-3-Clause
// A server's cache and disk against ones that step through time: random jobs, caches, orders, memories.
//
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
//   HYPERMON_TEST_SEED   another seed than the fixed one
#include "tests/catch.hpp"
#include "tests/piosim/naive_server.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <deque>
#include <sstream>

using namespace hypermon;
using namespace hypermon::piosim;
using namespace hypermon::testing;

namespace {

using DiskKind = DiskOperation::Kind;
using Asked = NaiveServer::Asked;

/// Owner of the jobs: writes wait for room, and data that were read leave at once.
class Owner : public CacheUser {
public:
  Owner(const PfsCacheParams& cache, const PfsDiskParams& disk, std::int64_t granularity, std::vector<Asked>& asked)
      : asked_(asked), cache_(cache, disk, granularity, events_, *this) {}

  void run() {
    for (std::size_t next = 0; next < asked_.size() || events_.next() != Time::never();) {
      const Time due = next < asked_.size() ? Time::from_ns(asked_[next].when) : Time::never();
      if (due > events_.next()) {
        events_.step();
        continue;
      }
      events_.reach(due);
      const CacheJob& job = asked_[next++].job;
      if (job.kind != DiskKind::write || (waiting_.empty() && cache_.accepts(job.bytes)))
        cache_.add(job);
      else
        waiting_.push_back(job);
    }
  }
  const DiskCounts& disk() const { return cache_.disk(); }

private:
  void cached(const CacheJob& job) override {
    asked_[job.tag].done = events_.now().ps() / 1000;
    if (job.kind == DiskKind::read) cache_.give_back(job.bytes);
  }
  void has_room() override {
    while (!waiting_.empty() && cache_.accepts(waiting_.front().bytes)) {
      const CacheJob first = waiting_.front();
      waiting_.pop_front();
      cache_.add(first);
    }
  }
  void disk_begins(const DiskOperation&, Seek, const CacheJob&) override {}
  void disk_ends(const DiskOperation&) override {}

  std::vector<Asked>& asked_;
  Events events_;
  std::deque<CacheJob> waiting_;
  ServerCache cache_;
};

std::string server_differs(std::uint64_t seed) {
  Random r(seed);
  constexpr double mib_of_a_byte = 1.0 / 1048576;
  constexpr std::int64_t granularity = 60;
  PfsCacheParams cache;
  cache.model =
      r.pick({CacheModel::none, CacheModel::write_behind, CacheModel::aggregation, CacheModel::aggregation_reorder});
  cache.memory_mib = static_cast<double>(r.pick({61, 80, 150, 5000})) * mib_of_a_byte;
  cache.concurrent = r.pick({1, 1, 2, 5});
  PfsDiskParams disk;
  disk.model = r.pick({DiskModel::refined, DiskModel::refined, DiskModel::simple, DiskModel::ideal});
  disk.order = r.pick({DiskOrder::position, DiskOrder::fifo, DiskOrder::elevator, DiskOrder::deadline});
  disk.seek_ms = static_cast<double>(r.pick({0, 70})) * 1e-6;
  disk.track_to_track_ms = static_cast<double>(r.pick({0, 10})) * 1e-6;
  disk.access_ms = 25e-6;
  disk.close_mib = static_cast<double>(r.pick({0, 40, 200})) * mib_of_a_byte;
  disk.turns_per_min = 1'000'000'000; // half a turn is 30 ns
  disk.mib_per_s = 1e9 / 1048576 / static_cast<double>(r.pick({1, 3}));
  disk.read_deadline_ms = 150e-6;
  disk.write_deadline_ms = 400e-6;

  std::vector<Asked> expected;
  std::int64_t when = 0;
  const std::int64_t pause = r.pick({0, 5, 60});
  const std::int64_t places = r.pick({8, 40}); // few: much touches
  for (std::uint64_t n = 0; n < static_cast<std::uint64_t>(r.between(1, 50)); ++n) {
    when += r.between(0, pause);
    const DiskKind kind = r.one_in(12) ? DiskKind::flush : r.one_in(3) ? DiskKind::read : DiskKind::write;
    const bool flush = kind == DiskKind::flush;
    expected.push_back({{kind, FileId{static_cast<std::uint32_t>(r.below(3))}, flush ? 0 : r.below(places) * 10,
                         flush ? 0 : r.pick({1, 10, 10, 10, 25, 60}), n},
                        when});
  }
  std::vector<Asked> found = expected;
  Owner owner(cache, disk, granularity, found);
  owner.run();
  NaiveServer naive(cache, disk, granularity);
  naive.run(expected);

  std::ostringstream wrong;
  for (std::size_t n = 0; n < found.size(); ++n)
    if (found[n].done != expected[n].done)
      wrong << "seed " << seed << ", cache " << word(cache.model) << " order " << word(disk.order) << ": job " << n
            << " asked for at " << found[n].when << " ns is done at " << found[n].done << ", the naive one's at "
            << expected[n].done << "\n";
  if (static_cast<std::int64_t>(owner.disk().operations) != naive.operations) wrong << "other operations\n";
  return wrong.str();
}

} // namespace

TEST_CASE("the disk has done each job when a server that steps through time says") {
  const std::uint64_t first = from_environment("HYPERMON_TEST_SEED", 1);
  const std::uint64_t cases = cases_wanted(20000);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) REQUIRE(server_differs(seed) == "");
}
