// SPDX-License-Identifier: BSD-3-Clause
// The event-driven processors against the naive ones that step through time: random tasks, policies, processors,
// affinities, requests, interrupts, and competitors that begin, sleep and end. A failure prints the smallest case that
// RapidCheck finds.
//
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
//   HYPERMON_TEST_SEED   another seed than the fixed one
#include "hw/machine/competitor.hpp"
#include "tests/catch.hpp"
#include "tests/model/naive_cpu.hpp"
#include "tests/random.hpp"
#include "tests/rounds.hpp"

#include <ostream>
#include <string>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

constexpr std::int64_t horizon = 150;

struct Request {
  enum Kind { work, poll, sleep, interrupt, at } kind;
  std::int64_t when; // work that is requested beforehand, for this date
  int whose;         // task, or the interrupted processor
  std::int64_t nominal;
};

/// What a task does at once, repeatedly, when its work is done.
struct Habit {
  enum { nothing, works, polls } then = nothing;
  std::int64_t nominal = 0;
  bool a_round_later = false; // like an actor that is woken
  int times = 0;
};

struct CpuCase {
  CpuDesign design;
  std::vector<TaskDesign> tasks;
  std::vector<Habit> habits;
  std::vector<CompetitorDesign> competitors; // tasks behind the others
  std::vector<Request> requests;
  std::uint64_t seed = 0; // seed of the instants at which one of the two Cpus is advanced
};

TaskDesign random_task(Random& r, std::size_t processors) {
  TaskDesign task{
      .name = "t", .priority = static_cast<int>(r.pick({0, 0, 0, 1, -1})), .weight = r.pick({1, 1, 2, 3, 7})};
  if (r.one_in(3))
    for (std::size_t p = 0; p < processors; ++p)
      if (r.one_in(2)) task.processors.push_back(p);
  return task;
}

CompetitorDesign random_competitor(Random& r, std::size_t processors) {
  CompetitorDesign c{.task = random_task(r, processors), .begin = Time::from_ps(r.pick({0, 0, 1, 20, 77}))};
  if (r.one_in(2)) c.end = c.begin + Time::from_ps(r.between(1, horizon));
  if (r.one_in(2)) {
    c.busy = Time::from_ps(r.between(1, 12));
    c.sleep = Time::from_ps(r.between(1, 25));
  }
  return c;
}

CpuCase random_cpu_case(Random& r) {
  CpuCase c;
  c.design.policy = r.pick({CpuPolicy::kernel_first, CpuPolicy::time_slices, CpuPolicy::fair_shares});
  c.design.processors = static_cast<std::size_t>(r.pick({1, 1, 2, 3}));
  c.design.quantum = Time::from_ps(r.between(1, 9));
  c.design.context_switch = Time::from_ps(r.pick({0, 0, 1, 2, 5}));
  const std::int64_t tasks = r.between(1, 6);
  const auto of_a_processor = [&] { return r.below(static_cast<std::int64_t>(c.design.processors)); };
  for (std::int64_t t = 0; t < tasks; ++t) {
    c.tasks.push_back(random_task(r, c.design.processors));
    Habit h{.nominal = r.pick({0, 1, 2, 5, 20}), .a_round_later = r.one_in(2), .times = static_cast<int>(r.below(8))};
    h.then = r.pick({Habit::nothing, Habit::works, Habit::polls});
    c.habits.push_back(h);
  }
  for (std::int64_t i = r.pick({0, 0, 1, 2, 4}); i > 0; --i)
    c.competitors.push_back(random_competitor(r, c.design.processors));
  const std::int64_t requests = r.between(1, 25);
  for (std::int64_t i = 0; i < requests; ++i) {
    Request q{r.pick({Request::work, Request::work, Request::poll, Request::sleep, Request::interrupt, Request::at}),
              r.below(horizon), static_cast<int>(r.below(tasks)), r.pick({0, 1, 2, 3, 8, 30})};
    if (q.kind == Request::interrupt) q.whose = static_cast<int>(of_a_processor());
    c.requests.push_back(q);
  }
  std::stable_sort(c.requests.begin(), c.requests.end(), [](auto& a, auto& b) { return a.when < b.when; });
  c.seed = r.engine();
  return c;
}

void show(std::ostream& to, const TaskDesign& task) {
  to << "priority " << task.priority << ", weight " << task.weight;
  for (const std::size_t p : task.processors) to << ", on " << p;
}

std::ostream& operator<<(std::ostream& to, const CpuCase& c) {
  constexpr const char* policies[] = {"kernel_first", "time_slices", "fair_shares"};
  constexpr const char* kinds[] = {"works", "polls", "sleeps", "interrupt of", "works (announced)"};
  to << policies[static_cast<int>(c.design.policy)] << ", " << c.design.processors << " processors, quantum "
     << c.design.quantum.ps() << ", switch " << c.design.context_switch.ps() << "\n";
  for (std::size_t t = 0; t < c.tasks.size(); ++t) {
    const Habit& h = c.habits[t];
    to << "  task " << t << ": ";
    show(to, c.tasks[t]);
    if (h.then != Habit::nothing && h.times > 0)
      to << ", then " << h.times << " times " << (h.then == Habit::polls ? "polls" : "works ") << h.nominal
         << (h.a_round_later ? " (a round later)" : "");
    to << "\n";
  }
  for (const CompetitorDesign& competitor : c.competitors) {
    to << "  competitor: ";
    show(to, competitor.task);
    to << ", from " << competitor.begin.ps();
    if (competitor.end != Time::never()) to << " to " << competitor.end.ps();
    if (competitor.sleep > Time{}) to << ", busy " << competitor.busy.ps() << ", sleeps " << competitor.sleep.ps();
    to << "\n";
  }
  for (const Request& q : c.requests)
    to << "  at " << q.when << ": " << kinds[q.kind] << " " << q.whose << " " << q.nominal << "\n";
  return to << "seed of cuts: " << c.seed << "\n";
}

std::vector<CpuCase> simpler(const CpuCase& c) {
  std::vector<CpuCase> all;
  const auto n = std::ssize(c.requests);
  for (std::ptrdiff_t size = n / 2; size > 0; size /= 2)
    for (std::ptrdiff_t first = 0; first < n; first += size) {
      all.push_back(c);
      auto& requests = all.back().requests;
      requests.erase(requests.begin() + first, requests.begin() + std::min(first + size, n));
    }
  const auto add_changed = [&](auto&& change) { change(all.emplace_back(c)); };
  for (std::size_t t = 0; t < c.tasks.size(); ++t) {
    if (c.habits[t].times > 0) add_changed([&](CpuCase& s) { s.habits[t].times = 0; });
    if (!c.tasks[t].processors.empty()) add_changed([&](CpuCase& s) { s.tasks[t].processors.clear(); });
    if (c.tasks[t].priority != 0) add_changed([&](CpuCase& s) { s.tasks[t].priority = 0; });
    if (c.tasks[t].weight != 1) add_changed([&](CpuCase& s) { s.tasks[t].weight = 1; });
  }
  for (std::size_t i = 0; i < c.competitors.size(); ++i) {
    add_changed([&](CpuCase& s) { s.competitors.erase(s.competitors.begin() + static_cast<std::ptrdiff_t>(i)); });
    if (!c.competitors[i].task.processors.empty())
      add_changed([&](CpuCase& s) { s.competitors[i].task.processors.clear(); });
  }
  if (c.design.context_switch > 0_ps) add_changed([](CpuCase& s) { s.design.context_switch = 0_ps; });
  return all;
}

rc::Gen<CpuCase> cpu_cases() {
  return [](const rc::Random& random, int) {
    rc::Random seed = random;
    Random r(seed.next());
    return rc::shrinkable::shrinkRecur(random_cpu_case(r),
                                       [](const CpuCase& c) { return rc::seq::fromContainer(simpler(c)); });
  };
}

/// All observable results of a run: end times of work, and the accounts at its end.
struct Seen {
  std::vector<std::string> done;
  std::string accounts;
  std::string broken; // law
};

class Habits {
public:
  explicit Habits(const CpuCase& c) : habits_(c.habits) {}
  /// The task's work is done. What does it do now, by `work(task, nominal)` or `poll(task)`?
  template <class Work, class Poll> void done(int task, Work&& work, Poll&& poll) {
    Habit& h = habits_[static_cast<std::size_t>(task)];
    if (h.then == Habit::nothing || h.times-- <= 0) return;
    const auto go_on = [=] { h.then == Habit::works ? work(task, h.nominal) : poll(task); };
    if (h.a_round_later)
      later_.emplace_back(go_on);
    else
      go_on();
  }
  void end_of_round() {
    for (const auto& go_on : std::exchange(later_, {})) go_on();
  }

private:
  std::vector<Habit> habits_;
  std::vector<std::function<void()>> later_;
};

/// Request of a competitor at an instant, if it changes; derived from its design, picosecond by picosecond.
class NaiveCompetitor {
public:
  explicit NaiveCompetitor(const CompetitorDesign& design) : design_(design) {}
  void done(std::int64_t now) { wakes_ = now + design_.sleep.ps(); }
  void instant(NaiveCpu& cpu, int task, std::int64_t now) {
    using Task = NaiveCpu::Task;
    if (now == design_.end.ps()) cpu.ask(task, Task::sleeps);
    if (now >= design_.end.ps() || (now != design_.begin.ps() && now != wakes_)) return;
    const bool sleeps_sometimes = design_.sleep > Time{};
    cpu.ask(task, sleeps_sometimes ? Task::works : Task::polls, design_.busy.ps());
  }

private:
  CompetitorDesign design_;
  std::int64_t wakes_ = -1;
};

std::string entry(std::int64_t when, int task) { return std::to_string(task) + " at " + std::to_string(when); }

Seen naive(const CpuCase& c) {
  Seen seen;
  std::vector<TaskDesign> tasks = c.tasks;
  std::vector<NaiveCompetitor> competitors;
  for (const CompetitorDesign& competitor : c.competitors) {
    tasks.push_back(competitor.task);
    competitors.emplace_back(competitor);
  }
  NaiveCpu cpu(c.design, tasks);
  const int own = static_cast<int>(c.tasks.size());
  Habits habits(c);
  using Task = NaiveCpu::Task;
  std::int64_t now = 0;
  cpu.done = [&](int task) {
    if (task >= own) return competitors[static_cast<std::size_t>(task - own)].done(now);
    seen.done.push_back(entry(now, task));
    habits.done(
        task, [&](int t, std::int64_t nominal) { cpu.ask(t, Task::works, nominal); },
        [&](int t) { cpu.ask(t, Task::polls); });
  };
  auto next = c.requests.begin();
  for (; now <= horizon; ++now) {
    // first the caller's requests, then the announced ones
    for (auto q = c.requests.begin(); q != c.requests.end(); ++q)
      if (q->when == now && q->kind == Request::interrupt)
        cpu.processors[static_cast<std::size_t>(q->whose)].kernel += q->nominal;
    for (; next != c.requests.end() && next->when == now; ++next) {
      if (next->kind == Request::work) cpu.ask(next->whose, Task::works, next->nominal);
      if (next->kind == Request::poll) cpu.ask(next->whose, Task::polls);
      if (next->kind == Request::sleep) cpu.ask(next->whose, Task::sleeps);
    }
    for (const Request& q : c.requests)
      if (q.kind == Request::at && q.when == now) cpu.ask(q.whose, Task::works, q.nominal);
    for (int i = 0; i < std::ssize(competitors); ++i)
      competitors[static_cast<std::size_t>(i)].instant(cpu, own + i, now);
    cpu.instant([&] { habits.end_of_round(); });
    if (now < horizon) cpu.step();
  }
  for (const auto& t : cpu.tasks)
    seen.accounts +=
        " task " + std::to_string(t.used) + "/" + std::to_string(t.waited) + "/" + std::to_string(t.switches);
  for (const auto& p : cpu.processors)
    seen.accounts += " processor " + std::to_string(p.worked) + "/" + std::to_string(p.in_kernel) + "/" +
                     std::to_string(p.switched) + "/" + std::to_string(p.idle) + "/" + std::to_string(p.switches);
  return seen;
}

std::string accounts(const Cpu& cpu) {
  const auto ps = [](Time t) { return std::to_string(t.ps()); };
  std::string text;
  for (std::uint32_t t = 0; t < cpu.tasks(); ++t)
    text += " task " + ps(cpu.used(TaskId{t})) + "/" + ps(cpu.waited(TaskId{t})) + "/" +
            std::to_string(cpu.switches(TaskId{t}));
  for (const ProcessorTimes& p : cpu.times())
    text += " processor " + ps(p.working) + "/" + ps(p.kernel) + "/" + ps(p.switching) + "/" + ps(p.idle) + "/" +
            std::to_string(p.switches);
  return text;
}

/// Invariants. Empty if all hold.
std::string broken_law(const Cpu& cpu) {
  Time used;
  Time working;
  for (std::uint32_t t = 0; t < cpu.tasks(); ++t) {
    if (cpu.used(TaskId{t}) + cpu.waited(TaskId{t}) > cpu.now()) return "used + waited is at most the time passed";
    used += cpu.used(TaskId{t});
  }
  for (const ProcessorTimes& p : cpu.times()) {
    if (p.working + p.kernel + p.switching + p.idle != cpu.now())
      return "a processor's times add up to the time passed";
    working += p.working;
  }
  return used == working ? "" : "what processors worked is what tasks used";
}

Seen event_driven(const CpuCase& c, bool cut) {
  Seen seen;
  Random r(c.seed);
  Cpu cpu(c.design);
  for (const TaskDesign& t : c.tasks) cpu.add(t);
  for (const CompetitorDesign& competitor : c.competitors) add_competitor(cpu, competitor);
  Habits habits(c);
  std::function<void(int, Time, std::int64_t)> run;
  const auto done = [&](int task) {
    seen.done.push_back(entry(cpu.now().ps(), task));
    habits.done(
        task, [&](int t, std::int64_t nominal) { run(t, cpu.now(), nominal); },
        [&](int t) { cpu.poll(TaskId{static_cast<std::uint32_t>(t)}, cpu.now()); });
  };
  run = [&](int t, Time now, std::int64_t nominal) {
    cpu.run(TaskId{static_cast<std::uint32_t>(t)}, now, Time::from_ps(nominal), [&done, t](Time) { done(t); });
  };
  const auto come = [&](Time now) { // rounds, as a caller makes them
    for (Time next; (next = cpu.next()) <= now;) {
      cpu.advance(next);
      habits.end_of_round();
      if (seen.broken.empty()) seen.broken = broken_law(cpu);
    }
  };
  for (const Request& q : c.requests)
    if (q.kind == Request::at) cpu.at(Time::from_ps(q.when), [&, q](Time now) { run(q.whose, now, q.nominal); });
  for (const Request& q : c.requests) {
    const Time when = Time::from_ps(q.when);
    if (when > cpu.now()) come(when - 1_ps);
    while (cut && cpu.now() < when && r.one_in(2)) {
      const Time somewhere = cpu.now() + Time::from_ps(r.below((when - cpu.now()).ps()));
      come(somewhere);
      cpu.advance(somewhere);
    }
    const TaskId task{static_cast<std::uint32_t>(q.whose)};
    if (q.kind == Request::work) run(q.whose, when, q.nominal);
    if (q.kind == Request::poll) cpu.poll(task, when);
    if (q.kind == Request::sleep) cpu.stop(task, when);
    if (q.kind == Request::interrupt) cpu.interrupt(static_cast<std::size_t>(q.whose), when, Time::from_ps(q.nominal));
  }
  come(Time::from_ps(horizon));
  cpu.advance(Time::from_ps(horizon));
  seen.accounts = accounts(cpu);
  return seen;
}

struct Tally {
  std::uint64_t cases = 0, done = 0, switched = 0;
};

std::string compare(const CpuCase& c, Tally& tally) {
  const Seen expected = naive(c);
  ++tally.cases;
  tally.done += expected.done.size();
  for (const bool cut : {false, true}) {
    const Seen found = event_driven(c, cut);
    if (!found.broken.empty()) return "broken: " + found.broken;
    for (std::size_t i = 0; i < std::max(expected.done.size(), found.done.size()); ++i) {
      const std::string e = i < expected.done.size() ? expected.done[i] : "nothing";
      const std::string f = i < found.done.size() ? found.done[i] : "nothing";
      if (e != f) return "work " + std::to_string(i) + " that was done: task " + f + ", not " + e;
    }
    if (found.accounts != expected.accounts) return "accounts:" + found.accounts + "\nnot      " + expected.accounts;
  }
  return {};
}

} // namespace

TEST_CASE("processors agree with naive processors that step through time") {
  const std::uint64_t enough = cases_wanted(4000);
  Tally tally;
  check_in_rounds(
      14, [&] { return tally.cases >= enough; }, [&] { return compare(*cpu_cases(), tally); });
  CHECK(tally.done > tally.cases); // and not only because nothing happened
}
