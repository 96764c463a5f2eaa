// SPDX-License-Identifier: BSD-3-Clause
// The rules of docs/design/cpu.md, stepped through time picosecond by picosecond: the reference for hw/machine/cpu.hpp.
#pragma once
#include "hw/machine/cpu.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <vector>

namespace hypermon::testing {

class NaiveCpu {
public:
  struct Task {
    TaskDesign design;
    enum { sleeps, works, polls } wants = sleeps;
    std::int64_t left = 0;
    enum { away, in_queue, running } state = away;
    std::size_t processor = 0;
    std::ptrdiff_t last = -1;
    std::int64_t slice = 0, since = 0;
    std::int64_t head_start = 0; // for fair shares, in 2^-20 ps: initial value of its count
    std::int64_t counted = 0;    // used since then
    std::int64_t used = 0, waited = 0, switches = 0;
  };
  struct Processor {
    int task = -1, last = -1;
    std::int64_t kernel = 0, switching = 0;
    std::int64_t worked = 0, in_kernel = 0, switched = 0, idle = 0, switches = 0;
  };
  std::vector<Task> tasks;
  std::vector<Processor> processors;
  std::function<void(int)> done;

  NaiveCpu(const CpuDesign& design, const std::vector<TaskDesign>& designs)
      : processors(design.processors), policy_(design.policy), quantum_(design.quantum.ps()),
        switch_(design.context_switch.ps()) {
    for (const TaskDesign& d : designs) tasks.push_back({d});
  }

  void ask(int t, decltype(Task::wants) what, std::int64_t nominal = 0) {
    tasks[at(t)].wants = what;
    tasks[at(t)].left = nominal;
  }

  /// Handles all steps of an instant, when its requests are known. `between` is called after each round.
  template <class Between> void instant(Between&& between) {
    for (;;) {
      std::vector<int> finished;
      for (int t = 0; t < count(); ++t)
        if (is_done(tasks[at(t)])) finished.push_back(t);
      for (const int t : finished) ask(t, Task::sleeps);
      for (const int t : finished) done(t);
      between();
      if (finished.empty()) break;
    }
    choose();
    for (int t = 0; t < count(); ++t)
      if (is_done(tasks[at(t)])) return instant(between); // work of no time
  }

  /// One picosecond passes.
  void step() {
    ++now_;
    for (Processor& p : processors) {
      if (p.kernel > 0) {
        --p.kernel, ++p.in_kernel;
      } else if (p.task < 0) {
        ++p.idle;
      } else if (Task& t = tasks[at(p.task)]; p.switching > 0) {
        --p.switching, ++p.switched, ++t.waited;
      } else {
        ++p.worked, ++t.used, ++t.counted, --t.slice;
        if (t.wants == Task::works) --t.left;
      }
    }
    for (const int t : queue_) ++tasks[at(t)].waited;
  }

private:
  static std::size_t at(int t) { return static_cast<std::size_t>(t); }
  int count() const { return static_cast<int>(tasks.size()); }

  bool is_done(const Task& t) const {
    return t.state == Task::running && t.wants == Task::works && t.left == 0 && processors[t.processor].switching == 0;
  }
  std::int64_t share(const Task& t) const { return t.head_start + (t.counted << 20) / t.design.weight; }

  void choose() {
    // Smallest virtual time that a task of this priority can have from now on.
    for (const Task& t : tasks) {
      if (t.state == Task::away) continue;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (const Task& other : tasks)
        if (other.state != Task::away && other.design.priority == t.design.priority)
          least = std::min(least, share(other));
      least_share_[t.design.priority] = std::max(least_share_[t.design.priority], least);
    }
    std::vector<int> whose_quantum_ended;
    for (int t = 0; t < count(); ++t) {
      Task& task = tasks[at(t)];
      if (task.state == Task::away) continue;
      if (task.wants == Task::sleeps) {
        if (task.state == Task::running) processors[task.processor].task = -1;
        queue_.remove(t);
        task.state = Task::away;
      } else if (task.state == Task::running && policy_ != CpuPolicy::kernel_first && task.slice == 0) {
        processors[task.processor].task = -1;
        whose_quantum_ended.push_back(t);
      }
    }
    for (int t = 0; t < count(); ++t) {
      Task& task = tasks[at(t)];
      if (task.state != Task::away || task.wants == Task::sleeps) continue;
      if (share(task) < least_share_[task.design.priority]) {
        task.head_start = least_share_[task.design.priority];
        task.counted = 0;
      }
      to_queue(t);
    }
    std::stable_sort(whose_quantum_ended.begin(), whose_quantum_ended.end(),
                     [this](int a, int b) { return tasks[at(a)].since < tasks[at(b)].since; });
    for (const int t : whose_quantum_ended) to_queue(t);
    while (give_one()) {
    }
  }

  void to_queue(int t) {
    tasks[at(t)].slice = quantum_;
    tasks[at(t)].since = now_;
    tasks[at(t)].state = Task::in_queue;
    queue_.push_back(t);
  }

  bool give_one() {
    std::list<int> order = queue_;
    order.sort([this](int a, int b) { // stable
      const Task &x = tasks[at(a)], &y = tasks[at(b)];
      if (x.design.priority != y.design.priority) return x.design.priority > y.design.priority;
      if (policy_ != CpuPolicy::fair_shares) return false;
      return share(x) != share(y) ? share(x) < share(y) : a < b;
    });
    for (const int t : order) {
      Task& task = tasks[at(t)];
      // The last processor of the task, then the others: idle ones, then those with the lowest priorities.
      std::vector<std::size_t> candidates;
      if (task.last >= 0) candidates.push_back(static_cast<std::size_t>(task.last));
      for (std::size_t p = 0; p < processors.size(); ++p) candidates.push_back(p);
      int best = -1;
      for (const std::size_t p : candidates)
        if (is_for(task, p) && worth(p) < task.design.priority &&
            (best < 0 || worth(p) < worth(static_cast<std::size_t>(best))))
          best = static_cast<int>(p);
      if (best < 0) continue;
      Processor& p = processors[static_cast<std::size_t>(best)];
      queue_.remove(t);
      if (p.task >= 0) {
        tasks[at(p.task)].state = Task::in_queue;
        queue_.push_front(p.task);
      }
      if (p.last >= 0 && p.last != t) ++p.switches, ++task.switches, p.switching = switch_;
      p.task = p.last = t;
      task.state = Task::running;
      task.processor = static_cast<std::size_t>(best);
      task.last = best;
      return true;
    }
    return false;
  }
  static bool is_for(const Task& task, std::size_t p) {
    const auto& own = task.design.processors;
    return own.empty() || std::count(own.begin(), own.end(), p) > 0;
  }
  int worth(std::size_t p) const {
    return processors[p].task < 0 ? std::numeric_limits<int>::min() : tasks[at(processors[p].task)].design.priority;
  }

  CpuPolicy policy_;
  std::int64_t quantum_;
  std::int64_t switch_;
  std::list<int> queue_;
  std::map<int, std::int64_t> least_share_;
  std::int64_t now_ = 0;
};

} // namespace hypermon::testing
