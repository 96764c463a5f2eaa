// SPDX-License-Identifier: BSD-3-Clause
// When ranks computed, kept in bounded memory, against all pieces kept one by one.
#include "sw/os/activity_log.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

using namespace hypermon;
using hypermon::testing::Random;
using State = ActivityLog::State;

namespace {

using Piece = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
constexpr std::array both{State::computing, State::monitor};

std::vector<Piece> pieces(const ActivityLog& log, std::size_t rank, State state) {
  std::vector<Piece> all;
  log.for_each(rank, state,
               [&](Time begin, Time end, Time time) { all.emplace_back(begin.ps(), end.ps(), time.ps()); });
  return all;
}

/// Keeps every picosecond's state of every rank as its pieces, and cuts them at a grid's steps.
struct Naive {
  struct Rank {
    std::int64_t last = 0;
    std::array<std::vector<Piece>, 2> pieces;
  };
  std::vector<Rank> ranks;

  void add(std::size_t rank, State state, std::int64_t begin, std::int64_t end) {
    Rank& own = ranks[rank];
    begin = std::max(begin, own.last);
    if (begin >= end) return;
    auto& all = own.pieces[static_cast<std::size_t>(state)];
    if (!all.empty() && std::get<1>(all.back()) == begin && own.last == begin)
      all.back() = {std::get<0>(all.back()), end, end - std::get<0>(all.back())};
    else
      all.emplace_back(begin, end, end - begin);
    own.last = end;
  }
  std::vector<Piece> on_grid(std::size_t rank, State state, std::int64_t step) const {
    std::vector<Piece> all;
    for (const auto& [begin, end, time] : ranks[rank].pieces[static_cast<std::size_t>(state)])
      for (std::int64_t at = begin; at < end;) {
        const std::int64_t first = at / step * step;
        const std::int64_t until = std::min(end, first + step);
        if (all.empty() || std::get<0>(all.back()) != first) all.emplace_back(first, first + step, 0);
        std::get<2>(all.back()) += until - at;
        at = until;
      }
    return all;
  }
  std::size_t count() const {
    std::size_t n = 0;
    for (const Rank& rank : ranks) n += rank.pieces[0].size() + rank.pieces[1].size();
    return n;
  }
};

std::string differs(Random& random) {
  const auto ranks = static_cast<std::size_t>(random.between(1, 5));
  const auto most = static_cast<std::size_t>(random.pick({1, 8, 40, 300, 100000}));
  const std::int64_t scale = random.pick({1, 1000, 1'000'000, 700'000'000});
  ActivityLog log(ranks, most);
  Naive naive{std::vector<Naive::Rank>(ranks)};
  std::vector<std::int64_t> now(ranks);
  for (std::int64_t n = random.between(0, 400); n > 0; --n) {
    const auto rank = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(ranks)));
    const State state = random.one_in(3) ? State::monitor : State::computing;
    const std::int64_t begin = std::max<std::int64_t>(now[rank] + random.pick({0, 0, -1, 1, 5}) * scale, 0);
    const std::int64_t end = begin + random.between(0, 9) * scale;
    log.add(rank, state, Time::from_ps(begin), Time::from_ps(end));
    naive.add(rank, state, begin, end);
    now[rank] = std::max(now[rank], end);
  }
  const std::int64_t step = log.step().ps();
  const std::size_t allowed = std::max(most, 4 * ranks);
  if (step == 0 && naive.count() > allowed) return "keeps more than it may";
  std::int64_t power = step;
  while (power > 1'000'000 && power % 2 == 0) power /= 2;
  if (step != 0 && power != 1'000'000) return "a step that is no power of two of a microsecond";
  std::size_t rows = 0;
  for (std::size_t r = 0; r < ranks; ++r)
    for (const State state : both) {
      const auto kept = pieces(log, r, state);
      rows += kept.size();
      const auto wanted =
          step == 0 ? naive.ranks[r].pieces[static_cast<std::size_t>(state)] : naive.on_grid(r, state, step);
      if (kept != wanted) return "other pieces of rank " + std::to_string(r);
    }
  return rows > 2 * allowed ? "more rows than it may have" : "";
}

} // namespace

TEST_CASE("activity is what all pieces of it say, exactly or on a grid") {
  const auto cases = hypermon::testing::cases_wanted(3000);
  Random random(hypermon::testing::from_environment("HYPERMON_TEST_SEED", 7));
  for (std::uint64_t n = 0; n < cases; ++n) {
    INFO("case " << n);
    REQUIRE(differs(random).empty());
  }
}

TEST_CASE("activity goes on a grid with the piece that is one too many") {
  ActivityLog log(1, 4); // the least that a rank has
  const auto add = [&](std::int64_t us) {
    log.add(0, State::computing, Time::from_ns(1000 * us), Time::from_ns(1000 * us + 500));
  };
  for (const std::int64_t us : {0, 2, 3, 5}) add(us);
  REQUIRE(log.step() == 0_ps);
  REQUIRE(pieces(log, 0, State::computing).size() == 4);
  add(7); // steps 0 to 7 are twice as many as fit: 2 us each
  REQUIRE(log.step() == 2_us);
  const std::int64_t half = 500'000;
  const std::int64_t step = 2'000'000;
  REQUIRE(pieces(log, 0, State::computing) ==
          std::vector<Piece>{
              {0, step, half}, {step, 2 * step, 2 * half}, {2 * step, 3 * step, half}, {3 * step, 4 * step, half}});
}

TEST_CASE("activity of a rank that overlaps with what it had is left out") {
  ActivityLog log(2, 100);
  log.add(0, State::computing, 0_ns, 10_ns);
  log.add(0, State::monitor, 8_ns, 12_ns);
  log.add(0, State::computing, 3_ns, 11_ns);
  log.add(1, State::computing, 8_ns, 12_ns); // the one of another rank does not
  REQUIRE(pieces(log, 0, State::computing) == std::vector<Piece>{{0, 10000, 10000}});
  REQUIRE(pieces(log, 0, State::monitor) == std::vector<Piece>{{10000, 12000, 2000}});
  REQUIRE(pieces(log, 1, State::computing) == std::vector<Piece>{{8000, 12000, 4000}});
}
