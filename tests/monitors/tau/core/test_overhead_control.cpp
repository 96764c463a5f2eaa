// SPDX-License-Identifier: BSD-3-Clause
// The client that holds an overhead, on random programs whose true overhead the test knows: it is below the target, not
// farther than it must be, or said to be out of reach.
//
//   HYPERMON_TEST_CASES  programs, instead of those of a CI run
#include "sw/monitors/tau/core/overhead_control.hpp"
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

using namespace hypermon;
using namespace hypermon::tau;
using hypermon::testing::cases_wanted;
using hypermon::testing::Random;

namespace {

double uniform(Random& random, double from, double to) {
  return from + (to - from) * static_cast<double>(random.below(1'000'001)) * 1e-6;
}
/// Between both, as often in each decade.
double decades(Random& random, double from, double to) {
  return std::exp(uniform(random, std::log(from), std::log(to)));
}

/// Properties of a program without measurement; in seconds.
struct Program {
  std::vector<double> rates; ///< calls per second of each routine
  double between_points = 0;
  double timer = 0;
  double dump = 0;
  double noise = 0; ///< noise of the time between points, and of dumps
  double way = 0;   ///< time of a profile's way to the client, and of the command's way back
};

Program drawn(Random& random) {
  Program program;
  for (std::int64_t n = random.between(1, 8); n > 0; --n) program.rates.push_back(decades(random, 1, 50'000));
  program.between_points = decades(random, 0.02, 1);
  program.timer = decades(random, 2e-7, 4e-6);
  program.dump = decades(random, 1e-4, 0.1);
  program.noise = uniform(random, 0, 0.3);
  program.way = decades(random, 1e-4, 2);
  return program;
}

std::string name_of(std::size_t routine) { return "routine " + std::to_string(routine); }

/// One process of the program, measured. It obeys a command that has arrived by its next dump point.
class Process {
public:
  Process(const Program& program, Random& random)
      : program_(program), random_(random), off_(program.rates.size()), calls_(program.rates.size()),
        left_(program.rates.size()) {
    for (std::size_t r = 0; r < calls_.size(); ++r)
      lines_.push_back({name_of(r), "TAU_USER", 0, 0, {}, {}}); // after the application's
  }

  double now() const { return now_; }
  void obey(const Control& control) {
    control_ = control;
    for (std::size_t r = 0; r < off_.size(); ++r)
      off_[r] = std::ranges::find(control.off, name_of(r)) != control.off.end();
  }
  /// Runs to its next dump point. Returns the profile, if it dumps one.
  std::string run(double faster = 1) {
    const double alone = program_.between_points * wobble();
    undisturbed_ += alone;
    now_ += alone;
    for (std::size_t r = 0; r < calls_.size(); ++r) {
      if (off_[r]) continue;
      const double more = program_.rates[r] * faster * alone + left_[r];
      const double calls = std::floor(more);
      left_[r] = more - calls;
      calls_[r] += static_cast<std::uint64_t>(calls);
      now_ += calls * program_.timer;
      overhead_ += calls * program_.timer;
    }
    if (++points_ % static_cast<std::uint64_t>(control_.every) != 0) return {};
    std::string text = profile();
    const double dump = program_.dump * wobble();
    now_ += dump;
    overhead_ += dump;
    dumping_ += dump;
    ++dumps_;
    return text;
  }
  double overhead() const { return overhead_ / undisturbed_; }
  void forget() { overhead_ = undisturbed_ = 0; }
  const Control& control() const { return control_; }

private:
  double wobble() { return 1 + uniform(random_, -program_.noise, program_.noise); }
  std::string profile() {
    for (std::size_t r = 0; r < calls_.size(); ++r) lines_[r + 1].calls = calls_[r];
    const auto us = [](double s) { return std::to_string(std::llround(s * 1e6)); };
    return profile_text(lines_, {{OwnCosts::timestamp, us(now_)},
                                 {OwnCosts::control, std::to_string(control_.number)},
                                 {OwnCosts::timer_us, std::to_string(program_.timer * 1e6)},
                                 {OwnCosts::dumps, std::to_string(dumps_)},
                                 {OwnCosts::dumping_us, us(dumping_)}});
  }

  Program program_;
  Random& random_;
  Control control_;
  std::vector<bool> off_; ///< routines that control_ has switched off
  std::vector<std::uint64_t> calls_;
  std::vector<double> left_; ///< remaining part of a call
  std::vector<Line> lines_{{".TAU application", "TAU_DEFAULT", 1, 0, {}, {}}};
  double now_ = 0;
  double undisturbed_ = 0;
  double overhead_ = 0;
  double dumping_ = 0;
  std::uint64_t points_ = 0;
  std::uint64_t dumps_ = 0;
};

/// Processes, and the way to and from the client.
class World {
public:
  World(const Program& program, const OverheadTarget& target, std::size_t processes, Random& random)
      : program_(program), control_(target) {
    for (std::size_t p = 0; p < processes; ++p) processes_.emplace_back(program, random);
  }
  /// Runs until `intervals` intervals were judged, or `longest` seconds have passed.
  void run(std::size_t intervals, double longest, double faster = 1) {
    const std::size_t until = control_.judged().size() + intervals;
    while (control_.judged().size() < until && processes_.front().now() < longest) step(faster);
  }
  const OverheadControl& control() const { return control_; }
  double overhead() const {
    return std::transform_reduce(processes_.begin(), processes_.end(), 0.0, std::plus<>(),
                                 [](const Process& one) { return one.overhead(); }) /
           static_cast<double>(processes_.size());
  }
  void forget() {
    for (Process& one : processes_) one.forget();
  }

private:
  struct Told {
    double at;
    std::size_t process;
    std::string profile;
  };
  /// Advances the process that is behind all others.
  void step(double faster) {
    const auto next = std::ranges::min_element(processes_, {}, &Process::now);
    const double now = next->now();
    for (; !told_.empty() && told_.front().at <= now; told_.pop_front())
      control_.see(static_cast<int>(told_.front().process), told_.front().profile, Time::from_seconds_rounded(now));
    if (said_.empty() || said_.back().second.number != control_.control().number)
      said_.emplace_back(now + program_.way, control_.control());
    for (const auto& [at, what] : said_)
      if (at <= now && what.number > next->control().number) next->obey(what);
    std::string profile = next->run(faster);
    if (!profile.empty())
      told_.push_back({next->now() + program_.way, static_cast<std::size_t>(next - processes_.begin()), profile});
  }

  Program program_;
  OverheadControl control_;
  std::deque<Process> processes_;
  std::deque<Told> told_;
  std::vector<std::pair<double, Control>> said_;
};

double timers_of(const Program& program) {
  return program.timer * std::accumulate(program.rates.begin(), program.rates.end(), 0.0);
}
double dumps_of(const Program& program) { return program.dump / program.between_points; }

} // namespace

TEST_CASE("an overhead is held below its target, or said to be out of reach") {
  const std::uint64_t cases = cases_wanted(300);
  int held = 0;
  int out_of_reach = 0;
  int untouched = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Program program = drawn(random);
    OverheadTarget target;
    target.share = decades(random, 0.005, 0.3);
    target.interval = Time::from_seconds_rounded(40 * program.between_points);
    target.most_every = 200;
    target.may_switch_off = !random.one_in(3);
    World world(program, target, static_cast<std::size_t>(random.between(1, 4)), random);
    const double all = timers_of(program) + dumps_of(program);
    world.run(30, 1e9);
    world.forget();
    const Control before = world.control().control();
    world.run(10, 1e9);
    const Control after = world.control().control();
    const double overhead = world.overhead();
    CAPTURE(target.share, overhead, timers_of(program), dumps_of(program), after.every, after.off.size());
    if (world.control().is_out_of_reach()) {
      ++out_of_reach;
      const double least = (target.may_switch_off ? 0 : timers_of(program)) + dumps_of(program) / 200;
      CHECK(least > target.share * 0.8);
      continue;
    }
    CHECK(overhead <= target.share * 1.1);
    if (after.number == 0) {
      ++untouched;
      CHECK(all <= target.share * 1.1);
      continue;
    }
    ++held;
    CHECK(after.number - before.number <= 4); // it is stable except for noise
    CHECK(all > target.share * 0.9);
    // One more would exceed the limit: the next routine, or dumps, by half the step or by less than is worthwhile.
    const double step = static_cast<double>(after.every) / std::max(1.0, 0.7 * static_cast<double>(after.every) - 1);
    if (after.off.empty() && after.every > 1) CHECK(overhead * step > target.share * 0.7);
  }
  CHECK(held > static_cast<int>(cases) / 4);
  CHECK(out_of_reach > 0);
  CHECK(untouched > 0);
}

TEST_CASE("a program that begins to call its routines more often is held again") {
  Random random(3);
  const Program program{{20'000, 500, 50}, 0.1, 1e-6, 0.005, 0.1, 0.05};
  OverheadTarget target;
  target.share = 0.06;
  target.interval = 4000_ms;
  World world(program, target, 3, random);
  world.run(10, 1e9);
  CHECK(world.control().control().off.empty());
  const double faster = 4; // timers alone take more than the target
  REQUIRE(timers_of(program) * faster > target.share);
  world.run(6, 1e9, faster);
  CHECK(world.control().control().off == std::vector<std::string>{name_of(0)});
  world.forget();
  world.run(6, 1e9, faster);
  CHECK(world.overhead() <= target.share * 1.05);
}

TEST_CASE("a profile that comes again changes nothing, and one of another control is not compared") {
  OverheadControl control({});
  const auto profile = [](std::uint64_t number, std::int64_t at_us, std::uint64_t dumps, std::uint64_t calls) {
    return profile_text({{"routine", "TAU_USER", calls, 0, {}, {}}}, {{OwnCosts::timestamp, std::to_string(at_us)},
                                                                      {OwnCosts::control, std::to_string(number)},
                                                                      {OwnCosts::timer_us, "1"},
                                                                      {OwnCosts::dumps, std::to_string(dumps)},
                                                                      {OwnCosts::dumping_us, "0"}});
  };
  control.see(0, profile(0, 0, 0, 0), 1_ms);
  for (int again = 0; again < 1000; ++again) control.see(0, profile(0, 1'000'000, 10, 1000), 2_ms); // 1 ms of 1 s
  control.see(0, profile(7, 60'000'000, 20, 1000), 3_ms);
  CHECK(control.judged().empty());
  CHECK_FALSE(control.is_obeyed());
  control.see(0, profile(0, 70'000'000, 30, 1000), 4_ms);
  CHECK(control.judged().empty());
  control.see(0, profile(0, 80'000'000, 40, 101'000), 5_ms); // 100 ms of 10 s
  REQUIRE(control.judged().size() == 1);
  CHECK(control.judged().front().overhead == Approx(0.101 / (11 - 0.101)));
}

TEST_CASE("a profile without what the client needs is refused by what is missing") {
  OverheadControl control({});
  CHECK_THROWS_AS(control.see(0, "no profile", 1_ms), ProfileError);
  const std::string text = profile_text({}, {{OwnCosts::control, "0"}});
  try {
    control.see(0, text, 1_ms);
    FAIL("must be refused");
  } catch (const ProfileError& error) {
    CHECK(std::string(error.what()) == "line 2: no metadata \"Timestamp\"");
  }
}
