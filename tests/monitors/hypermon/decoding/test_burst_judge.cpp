// SPDX-License-Identifier: BSD-3-Clause
// What becomes of bursts that nobody decodes.
#include "sw/monitors/hypermon/burst_judge.hpp"
#include "tests/catch.hpp"

using namespace hypermon;

namespace {

constexpr NodeId node{1};

struct Judge : BurstJudge {
  Judge() : BurstJudge(2) {}
  CauseId early = add_cause("input", "early");
  CauseId late = add_cause("fifo", "late");

  void arrive(std::size_t n, Time stamp, Time read_end) {
    arrived(
        node, n, [&](std::size_t) { return stamp; }, [&](std::size_t) { return read_end; });
  }
  std::uint64_t bursts_lost(CauseId cause) const { return losses()[static_cast<std::size_t>(cause)].events; }
};

} // namespace

TEST_CASE("a burst is delivered with its last datum, and has the timestamp of its first") {
  Judge judge;
  judge.wrote(node, 3, 100_ns, 120_ns);
  judge.arrive(1, 90_ns, 500_ns);
  judge.arrive(1, 190_ns, 600_ns);
  CHECK(judge.delivered_bursts() == 0);
  CHECK(judge.in_flight_bursts() == 1);
  judge.arrive(1, 290_ns, 700_ns);
  CHECK(judge.delivered_bursts() == 1);
  CHECK(judge.latency().max() == 700_ns - 100_ns);
  CHECK(judge.timestamp_error().min == 90_ns - 120_ns);
  CHECK(judge.in_flight_bursts() == 0);
}

TEST_CASE("data that arrive at once may end one burst and begin the next") {
  Judge judge;
  judge.wrote(node, 2, 0_ns, 0_ns);
  judge.wrote(node, 2, 10_ns, 10_ns);
  judge.arrive(3, 0_ns, 50_ns);
  CHECK(judge.delivered_bursts() == 1);
  judge.arrive(1, 10_ns, 60_ns);
  CHECK(judge.delivered_bursts() == 2);
}

TEST_CASE("a burst is lost at the place of its foremost lost datum, in any order of the reports") {
  Judge judge;
  judge.wrote(node, 4, 0_ns, 0_ns);
  judge.lost(node, 2, judge.early);
  judge.lost(node, 1, judge.late);
  judge.arrive(2, 0_ns, 50_ns);
  CHECK(judge.bursts_lost(judge.late) == 1);
  CHECK(judge.bursts_lost(judge.early) == 0);
  CHECK(judge.falsified_bursts() == 0);
  CHECK(judge.generated_data() == judge.delivered_data() + judge.losses()[0].nibbles + judge.losses()[1].nibbles);
}

TEST_CASE("a later lost datum does not change the place at which a burst is counted as lost") {
  Judge judge;
  judge.wrote(node, 4, 0_ns, 0_ns);
  judge.lost(node, 1, judge.late);
  judge.lost(node, 2, judge.early);
  judge.arrive(2, 0_ns, 50_ns);
  CHECK(judge.bursts_lost(judge.late) == 1);
  CHECK(judge.bursts_lost(judge.early) == 0);
}

TEST_CASE("missing data of a burst have their own causes, and the burst has the cause of its foremost missing datum") {
  Judge judge;
  judge.wrote(node, 3, 0_ns, 0_ns);
  judge.wrote(node, 3, 10_ns, 10_ns);
  judge.lost(node, 0, judge.early);
  judge.lost_rest(node, 5, judge.late);
  CHECK(judge.bursts_lost(judge.early) == 1);
  CHECK(judge.bursts_lost(judge.late) == 1);
  CHECK(judge.losses()[static_cast<std::size_t>(judge.late)].nibbles == 5);
  CHECK(judge.in_flight_bursts() == 0);
}

TEST_CASE("a burst whose data were all lost is settled when the one before it is, not later") {
  Judge judge;
  judge.wrote(node, 1, 0_ns, 0_ns);
  judge.wrote(node, 2, 10_ns, 10_ns);
  judge.lost(node, 1, judge.early);
  judge.lost(node, 2, judge.early);
  CHECK(judge.in_flight_bursts() == 2);
  judge.arrive(1, 0_ns, 50_ns);
  CHECK(judge.in_flight_bursts() == 0);
  CHECK(judge.bursts_lost(judge.early) == 1);
}

TEST_CASE("a burst with a wrong datum arrives, and is lost") {
  Judge judge;
  judge.wrote(node, 2, 0_ns, 0_ns);
  judge.falsified(node, 1, judge.early);
  judge.arrive(2, 0_ns, 50_ns);
  CHECK(judge.delivered_bursts() == 0);
  CHECK(judge.falsified_bursts() == 1);
  CHECK(judge.bursts_lost(judge.early) == 1);
  CHECK(judge.delivered_data() == 2);
}

TEST_CASE("what cannot be is our own mistake, and said") {
  Judge judge;
  CHECK_THROWS_AS(judge.arrive(1, 0_ns, 0_ns), std::logic_error);
  judge.wrote(node, 2, 0_ns, 0_ns);
  CHECK_THROWS_AS(judge.lost(node, 2, judge.early), std::logic_error);
  CHECK_THROWS_AS(judge.lost_rest(node, 1, judge.early), std::logic_error);
}
