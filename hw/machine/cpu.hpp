// SPDX-License-Identifier: BSD-3-Clause
// The processors of one node, and who has them: ranks, daemons and competitors are tasks that ask for CPU time and are
// told when they have had it; the kernel takes a processor from whatever runs (docs/design/cpu.md). Exact and
// deterministic: integer time, ties by task. No simulation kernel: the caller asks next() when something happens and
// says how far time has come with advance().
//
// All that is asked for at one instant counts as asked for together: who gets a processor is decided when the instant
// is over. A task that has had its time and asks for more at the same instant goes on, and nobody ran in between.
#pragma once
#include "base/choice.hpp"
#include "hw/machine/task.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

/// How tasks of the same priority share. A higher priority always goes first, the kernel before all.
enum class CpuPolicy : std::uint8_t {
  kernel_first, ///< in the order in which they asked, each until it waits
  time_slices,  ///< in turn, a quantum each
  fair_shares,  ///< for a quantum who has had least, by weight; what a task left unused while it slept is lost
};
constexpr auto words_of(CpuPolicy) { return words("kernel_first", "time_slices", "fair_shares"); }

struct CpuDesign {
  CpuPolicy policy = CpuPolicy::kernel_first;
  std::size_t processors = 1;
  Time quantum = Time::from_ns(120'000'000);
  Time context_switch{}; ///< when a processor goes on with another task than the one that it ran last
};

struct TaskDesign {
  std::string name;
  int priority = 0;                      ///< higher ones first
  std::int64_t weight = 1;               ///< of fair shares, at least 1
  std::vector<std::size_t> processors{}; ///< where it may run; none: on all

  bool may_run_on(std::size_t processor) const {
    return processors.empty() || std::find(processors.begin(), processors.end(), processor) != processors.end();
  }
};

class Cpu {
public:
  using Action = std::function<void(Time now)>;

  explicit Cpu(const CpuDesign& design);
  TaskId add(TaskDesign task);
  /// A task has done some of the work that it wanted, from `begin` to `end` without a break.
  using Worked = std::function<void(TaskId task, Time begin, Time end)>;
  /// Who is told of it: in the order of time for each task.
  void tell(Worked worked) { worked_ = std::move(worked); }

  // `now` is never before an earlier one.
  /// The task wants so much of a processor, instead of what it wanted; `done` is told when it has had that. Work of no
  /// time is done when the task has a processor, be the kernel there or not. Of work that is replaced, `done` is never
  /// called.
  void run(TaskId task, Time now, Time nominal, Action done);
  /// The task wants a processor until further notice: it polls.
  void poll(TaskId task, Time now);
  /// The task wants no processor any more: it sleeps, or has ended.
  void stop(TaskId task, Time now);
  /// The kernel takes the processor for so long, behind its earlier work. A task there stays, and goes on afterwards.
  void interrupt(std::size_t processor, Time now, Time nominal);
  /// The kernel has the processor until `end`; never: until it is said again.
  void keep(std::size_t processor, Time now, Time end);
  /// Does something at that instant, before it is decided who runs; in the order of the calls. Not in the past.
  void at(Time when, Action action);

  Time now() const { return now_; }
  /// When something happens next if nobody asks for more; never: nothing does.
  Time next() const;
  /// Time has come to `now`: what happens before is done; of what happens at `now` one round, while next() == now.
  void advance(Time now);
  /// Time has come to `now`, and nothing of what happens at it is done yet: for who looks at the accounts.
  void pass(Time now);

  // As of now().
  Time used(TaskId task) const { return tasks_[index(task)].used; }
  /// Wanted a processor, but had none that was ready for it: in the queue, or during its context switch.
  Time waited(TaskId task) const { return tasks_[index(task)].waited; }
  /// How often a processor went over to the task from another.
  std::uint64_t switches(TaskId task) const { return tasks_[index(task)].switches; }
  const TaskDesign& task(TaskId task) const { return tasks_[index(task)].design; }
  /// Where the task is; none if it has no processor.
  std::optional<std::size_t> processor_of(TaskId task) const { return tasks_[index(task)].where; }
  /// Runs, or wants to.
  bool wants_processor(TaskId task) const { return tasks_[index(task)].wants != Wants::nothing; }
  /// Has a processor, and no switch is in the way.
  bool is_running(TaskId task) const;
  const std::vector<ProcessorTimes>& times() const { return times_; }
  std::size_t tasks() const { return tasks_.size(); }
  const CpuDesign& design() const { return design_; }

private:
  using Order = std::size_t;              // of a task, by its id
  __extension__ using Virtual = __int128; // time by weight, in 2^-20 ps
  enum class Wants : std::uint8_t { nothing, work, a_processor };
  struct Task {
    TaskDesign design;
    Wants wants = Wants::nothing;
    Time left; // of its work
    Action done;
    bool queued = false;
    std::optional<std::size_t> where;
    std::optional<std::size_t> last_processor;
    Time slice; // what is left of its quantum
    Time since; // when it was given that
    Virtual virtual_begin = 0;
    Time used_at_begin;
    Time used;
    Time waited;
    std::uint64_t switches = 0;
  };
  struct Processor {
    std::optional<Order> task;
    std::optional<Order> last;
    Time kernel;    // what is left of its work; never: not known
    Time switching; // what is left of the switch to `last`
  };

  void wants(Task& task, Time now, Wants what);
  void round(Time now);
  void progress(Time now);
  void work(Task& task, Time time) const;
  bool finish_work();
  bool act();
  void decide();
  std::vector<Order> leave();
  void enter(const std::vector<Order>& expired);
  void wake(Task& task);
  bool place_one();
  std::optional<std::size_t> place_for(const Task& task) const;
  void dispatch(Order task, std::size_t processor);
  void raise_floors();
  bool is_sliced() const { return design_.policy != CpuPolicy::kernel_first; }
  bool is_finished(const Processor& p) const;
  bool is_contested(const Task& task, std::size_t processor) const;
  bool goes_before(Order a, Order b) const;
  static Virtual virtual_time(const Task& task);
  Time next_of(std::size_t processor) const;

  CpuDesign design_;
  Worked worked_; // none: nobody asks
  Time now_;
  bool undecided_ = false;
  std::vector<Task> tasks_;
  std::vector<Processor> processors_;
  std::vector<ProcessorTimes> times_;
  std::vector<Order> queue_;      // who wants a processor and has none
  std::map<int, Virtual> floors_; // by priority: below it nobody who wakes can be
  std::multimap<Time, Action> actions_;
};

} // namespace hypermon
