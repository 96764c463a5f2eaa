// SPDX-License-Identifier: BSD-3-Clause
// The processors of one node and their scheduling. Ranks, daemons and competitors are tasks that request CPU time and
// are notified when they have had it; the kernel preempts whatever runs (docs/design/cpu.md). Exact and deterministic:
// integer time, ties are broken by task number. No simulation kernel: the caller reads the time of the next change with
// next() and advances time with advance().
//
// Requests of one instant count as simultaneous: processors are assigned when the instant is over. A task that has had
// its time and requests more at the same instant continues, and no other task runs in between.
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

/// Scheduling of tasks of equal priority. A higher priority always goes first, and the kernel before all tasks.
enum class CpuPolicy : std::uint8_t {
  kernel_first, ///< tasks run in the order of their requests, each until it waits
  time_slices,  ///< tasks run in turn, one quantum each
  fair_shares,  ///< the task with the least weighted time gets a quantum; a share left unused during a sleep is lost
};
constexpr auto words_of(CpuPolicy) { return words("kernel_first", "time_slices", "fair_shares"); }

struct CpuDesign {
  CpuPolicy policy = CpuPolicy::kernel_first;
  std::size_t processors = 1;
  Time quantum = Time::from_ns(120'000'000);
  Time context_switch{}; ///< cost if a processor switches to a task other than the one that it ran last
};

struct TaskDesign {
  std::string name;
  int priority = 0;                      ///< higher ones first
  std::int64_t weight = 1;               ///< for fair shares, at least 1
  std::vector<std::size_t> processors{}; ///< processors on which it may run; empty: all

  bool may_run_on(std::size_t processor) const {
    return processors.empty() || std::find(processors.begin(), processors.end(), processor) != processors.end();
  }
};

class Cpu {
public:
  using Action = std::function<void(Time now)>;

  explicit Cpu(const CpuDesign& design);
  TaskId add(TaskDesign task);
  /// A task has worked from `begin` to `end` without a break.
  using Worked = std::function<void(TaskId task, Time begin, Time end)>;
  /// Sets the observer, which is called in the order of time for each task.
  void observe(Worked worked) { worked_ = std::move(worked); }

  // `now` must not decrease.
  /// The task requests `nominal` time of a processor, which replaces its previous request. `done` is called when it has
  /// had the time, and never if the request is replaced. A request of no time is done when the task has a processor,
  /// even while the kernel uses it.
  void run(TaskId task, Time now, Time nominal, Action done);
  /// The task requests a processor until further notice: it polls.
  void poll(TaskId task, Time now);
  /// The task no longer requests a processor: it sleeps or has ended.
  void stop(TaskId task, Time now);
  /// The kernel takes the processor for `nominal`, after its earlier work. A task there keeps its place and continues
  /// afterwards.
  void interrupt(std::size_t processor, Time now, Time nominal);
  /// The kernel takes the processor until `end`; never: until the next call.
  void keep(std::size_t processor, Time now, Time end);
  /// Runs `action` at `when`, before processors are assigned; actions of one instant run in the order of the calls. Not
  /// in the past.
  void at(Time when, Action action);

  Time now() const { return now_; }
  /// Time of the next change if no requests are added; never: there is none.
  Time next() const;
  /// Handles everything before `now`, and one round of the changes at `now`, which may cause further ones. Call it
  /// again while next() == now.
  void advance(Time now);
  /// Advances to `now` without the changes at `now`, for a caller that reads the accounts.
  void pass(Time now);

  // Values at now().
  Time used(TaskId task) const { return tasks_[index(task)].used; }
  /// Time during which the task requested a processor but had none that was ready for it: in the queue, or during its
  /// context switch.
  Time waited(TaskId task) const { return tasks_[index(task)].waited; }
  /// Number of times that a processor changed to the task from another one.
  std::uint64_t switches(TaskId task) const { return tasks_[index(task)].switches; }
  const TaskDesign& task(TaskId task) const { return tasks_[index(task)].design; }
  /// The task's processor; empty if it has none.
  std::optional<std::size_t> processor_of(TaskId task) const { return tasks_[index(task)].where; }
  /// Whether it runs or requests a processor.
  bool wants_processor(TaskId task) const { return tasks_[index(task)].wants != Wants::nothing; }
  /// Whether it has a processor, without a context switch in progress.
  bool is_running(TaskId task) const;
  const std::vector<ProcessorTimes>& times() const { return times_; }
  std::size_t tasks() const { return tasks_.size(); }
  const CpuDesign& design() const { return design_; }

private:
  using Order = std::size_t;              // number of a task
  __extension__ using Virtual = __int128; // weighted time, in 2^-20 ps
  enum class Wants : std::uint8_t { nothing, work, a_processor };
  struct Task {
    TaskDesign design;
    Wants wants = Wants::nothing;
    Time left; // rest of its work
    Action done;
    bool queued = false;
    std::optional<std::size_t> where;
    std::optional<std::size_t> last_processor;
    Time slice; // rest of its quantum
    Time since; // begin of the quantum
    Virtual virtual_begin = 0;
    Time used_at_begin;
    Time used;
    Time waited;
    std::uint64_t switches = 0;
  };
  struct Processor {
    std::optional<Order> task;
    std::optional<Order> last;
    Time kernel;    // rest of its work; never: unknown
    Time switching; // rest of the switch to `last`
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
  Worked worked_; // empty: no observer
  Time now_;
  bool undecided_ = false;
  std::vector<Task> tasks_;
  std::vector<Processor> processors_;
  std::vector<ProcessorTimes> times_;
  std::vector<Order> queue_;      // tasks that request a processor and have none
  std::map<int, Virtual> floors_; // by priority: least virtual time of a task that wakes
  std::multimap<Time, Action> actions_;
};

} // namespace hypermon
