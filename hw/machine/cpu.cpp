// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/cpu.hpp"

#include <algorithm>
#include <utility>

namespace hypermon {
namespace {

/// Times beyond the range of Time become never.
Time sum(Time a, Time b) { return a > Time::never() - b ? Time::never() : a + b; }

} // namespace

Cpu::Cpu(const CpuDesign& design) : design_(design), processors_(design.processors), times_(design.processors) {}

TaskId Cpu::add(TaskDesign task) {
  tasks_.push_back({});
  tasks_.back().design = std::move(task);
  return TaskId{static_cast<std::uint32_t>(tasks_.size() - 1)};
}

// Requests
// ----------------------------------------------------------------------------------------------------------

void Cpu::wants(Task& task, Time now, Wants what) {
  pass(now);
  task.wants = what;
  task.done = nullptr;
  undecided_ = true;
}

void Cpu::run(TaskId task, Time now, Time nominal, Action done) {
  Task& t = tasks_[index(task)];
  wants(t, now, Wants::work);
  t.left = nominal;
  t.done = std::move(done);
}

void Cpu::poll(TaskId task, Time now) { wants(tasks_[index(task)], now, Wants::a_processor); }

void Cpu::stop(TaskId task, Time now) { wants(tasks_[index(task)], now, Wants::nothing); }

void Cpu::interrupt(std::size_t processor, Time now, Time nominal) {
  pass(now);
  Time& kernel = processors_[processor].kernel;
  kernel = sum(kernel, nominal);
}

void Cpu::keep(std::size_t processor, Time now, Time end) {
  pass(now);
  processors_[processor].kernel = end == Time::never() ? end : std::max(end - now, Time{});
}

void Cpu::at(Time when, Action action) { actions_.emplace(when, std::move(action)); }

// Time
// -----------------------------------------------------------------------------------------------------------------

Time Cpu::next() const {
  if (undecided_) return now_;
  Time first = actions_.empty() ? Time::never() : actions_.begin()->first;
  for (std::size_t p = 0; p < processors_.size(); ++p) first = std::min(first, next_of(p));
  return first;
}

Time Cpu::next_of(std::size_t processor) const {
  const Processor& p = processors_[processor];
  if (!p.task) return Time::never();
  const Task& task = tasks_[*p.task];
  const bool is_contested = is_sliced() && this->is_contested(task, processor);
  if (is_finished(p) || (is_contested && task.slice == Time{})) return now_; // whatever the kernel begins now
  Time most = task.wants == Wants::work ? task.left : Time::never();
  if (is_contested) most = std::min(most, task.slice);
  return sum(now_, sum(p.kernel, sum(p.switching, most)));
}

void Cpu::pass(Time now) {
  while (next() < now) round(next());
  progress(now);
}

void Cpu::advance(Time now) {
  pass(now);
  round(now);
}

/// Performs what is due before deciding which tasks run next.
void Cpu::round(Time now) {
  progress(now);
  const bool acted = act();
  if (finish_work() || acted)
    undecided_ = true; // a notified task may request more at this instant
  else
    decide();
}

bool Cpu::act() {
  bool acted = false;
  while (!actions_.empty() && actions_.begin()->first <= now_) {
    const Action action = std::move(actions_.begin()->second);
    actions_.erase(actions_.begin());
    action(now_);
    acted = true;
  }
  return acted;
}

bool Cpu::is_finished(const Processor& p) const {
  return p.task && tasks_[*p.task].wants == Wants::work && tasks_[*p.task].left == Time{} && p.switching == Time{};
}

bool Cpu::is_running(TaskId task) const {
  const auto where = processor_of(task);
  return where && processors_[*where].switching == Time{};
}

bool Cpu::finish_work() {
  std::map<Order, Action> finished; // finished actions; the callbacks may add requests at once
  for (const Processor& p : processors_) {
    if (!is_finished(p)) continue;
    Task& task = tasks_[*p.task];
    task.wants = Wants::nothing;
    finished.emplace(*p.task, std::exchange(task.done, nullptr));
  }
  for (const auto& [task, done] : finished)
    if (done) done(now_);
  return !finished.empty();
}

void Cpu::progress(Time now) {
  const Time passed = now - now_;
  if (passed <= Time{}) return;
  const Time before = std::exchange(now_, now);
  for (std::size_t i = 0; i < processors_.size(); ++i) {
    Processor& p = processors_[i];
    Time left = passed;
    const auto spend = [&left](Time& budget, Time& account) {
      const Time spent = std::min(left, budget);
      if (budget != Time::never()) budget -= spent;
      account += spent;
      left -= spent;
      return spent;
    };
    spend(p.kernel, times_[i].kernel);
    if (!p.task) {
      times_[i].idle += left;
      continue;
    }
    Task& task = tasks_[*p.task];
    if (task.slice == Time{}) { // no other task wanted the processor when the quantum ended
      task.slice = design_.quantum;
      task.since = before;
    }
    task.waited += spend(p.switching, times_[i].switching);
    times_[i].working += left;
    if (worked_ && task.wants == Wants::work && left > Time{}) [[unlikely]]
      worked_(TaskId{static_cast<std::uint32_t>(*p.task)}, now - left, now);
    work(task, left);
  }
  for (const Order t : queue_) tasks_[t].waited += passed;
}

void Cpu::work(Task& task, Time time) const {
  if (time == Time{}) return;
  task.used += time;
  if (task.wants == Wants::work) task.left -= time;
  if (!is_sliced()) return;
  // Quanta follow each other as long as no other task wants the processor; 0: one has just ended.
  if (time <= task.slice) {
    task.slice -= time;
    return;
  }
  const Time over = Time::from_ps((time - task.slice).ps() % design_.quantum.ps());
  task.slice = over > Time{} ? design_.quantum - over : over;
  task.since = now_ - (over > Time{} ? over : design_.quantum);
}

// Scheduling
// -------------------------------------------------------------------------------------------------------------------

void Cpu::decide() {
  undecided_ = false;
  raise_floors();
  enter(leave());
  while (place_one()) {
  }
}

/// Removes tasks that no longer want a processor or whose quantum has ended. Returns the latter.
std::vector<Cpu::Order> Cpu::leave() {
  std::erase_if(queue_, [this](Order t) {
    tasks_[t].queued = tasks_[t].wants != Wants::nothing;
    return !tasks_[t].queued;
  });
  std::vector<Order> expired;
  for (Processor& p : processors_) {
    if (!p.task) continue;
    Task& task = tasks_[*p.task];
    const bool wants = task.wants != Wants::nothing;
    if (wants && !(is_sliced() && task.slice == Time{})) continue;
    if (wants) expired.push_back(*p.task);
    task.where.reset();
    p.task.reset();
  }
  std::sort(expired.begin(), expired.end(), [this](Order a, Order b) {
    // Otherwise the same tasks would always be first.
    return std::pair(tasks_[a].since, a) < std::pair(tasks_[b].since, b);
  });
  return expired;
}

/// Adds to the queue: first tasks that woke, then those whose quantum has ended.
void Cpu::enter(const std::vector<Order>& expired) {
  const auto enter = [this](Order t) {
    tasks_[t].slice = design_.quantum;
    tasks_[t].since = now_;
    tasks_[t].queued = true;
    queue_.push_back(t);
  };
  for (Order t = 0; t < tasks_.size(); ++t) {
    Task& task = tasks_[t];
    const bool waits = task.queued || task.where || std::find(expired.begin(), expired.end(), t) != expired.end();
    if (task.wants == Wants::nothing || waits) continue;
    wake(task);
    enter(t);
  }
  for (const Order t : expired) enter(t);
}

void Cpu::wake(Task& task) {
  const Virtual floor = floors_[task.design.priority];
  if (virtual_time(task) >= floor) return;
  task.virtual_begin = floor;
  task.used_at_begin = task.used;
}

Cpu::Virtual Cpu::virtual_time(const Task& task) {
  return task.virtual_begin + (static_cast<Virtual>((task.used - task.used_at_begin).ps()) << 20) / task.design.weight;
}

void Cpu::raise_floors() {
  if (design_.policy != CpuPolicy::fair_shares) return;
  std::map<int, Virtual> least;
  for (const Task& task : tasks_) {
    if (!task.queued && !task.where) continue;
    const auto [at, is_new] = least.emplace(task.design.priority, virtual_time(task));
    if (!is_new) at->second = std::min(at->second, virtual_time(task));
  }
  for (const auto& [priority, time] : least) floors_[priority] = std::max(floors_[priority], time);
}

bool Cpu::goes_before(Order a, Order b) const {
  const Task& left = tasks_[a];
  const Task& right = tasks_[b];
  if (left.design.priority != right.design.priority) return left.design.priority > right.design.priority;
  if (design_.policy != CpuPolicy::fair_shares) return false; // tasks are served in the order of the queue
  const Virtual l = virtual_time(left);
  const Virtual r = virtual_time(right);
  return l != r ? l < r : a < b;
}

/// True if a waiting task may get this processor when the task's quantum ends.
bool Cpu::is_contested(const Task& task, std::size_t processor) const {
  return std::any_of(queue_.begin(), queue_.end(), [&](Order t) {
    return tasks_[t].design.priority == task.design.priority && tasks_[t].design.may_run_on(processor);
  });
}

/// Gives a processor to the first waiting task, in their order, that some processor suits.
bool Cpu::place_one() {
  std::vector<Order> order = queue_;
  std::stable_sort(order.begin(), order.end(), [this](Order a, Order b) { return goes_before(a, b); });
  for (const Order t : order)
    if (const auto processor = place_for(tasks_[t])) return dispatch(t, *processor), true;
  return false;
}

/// An idle processor, or else the one with the task of least rank if that is below this task. The processor where the
/// task last ran is preferred.
std::optional<std::size_t> Cpu::place_for(const Task& task) const {
  std::optional<std::size_t> best;
  const auto rank = [&](std::size_t p) { // idle ranks below all tasks
    const auto& there = processors_[p].task;
    return std::pair(there.has_value(), there ? tasks_[*there].design.priority : 0);
  };
  for (std::size_t p = 0; p < processors_.size(); ++p) {
    if (!task.design.may_run_on(p)) continue;
    if (rank(p) >= std::pair(true, task.design.priority)) continue;
    if (!best || rank(p) < rank(*best) || (rank(p) == rank(*best) && task.last_processor == p)) best = p;
  }
  return best;
}

void Cpu::dispatch(Order t, std::size_t processor) {
  Processor& p = processors_[processor];
  std::erase(queue_, t);
  if (p.task) {
    Task& preempted = tasks_[*p.task];
    preempted.where.reset();
    preempted.queued = true;
    queue_.insert(queue_.begin(), *p.task);
  }
  Task& task = tasks_[t];
  task.queued = false;
  task.where = task.last_processor = processor;
  p.task = t;
  if (p.last == t) return; // the rest of an earlier switch to this task is still due
  if (p.last) {
    ++times_[processor].switches;
    ++task.switches;
    p.switching = design_.context_switch;
  }
  p.last = t;
}

} // namespace hypermon
