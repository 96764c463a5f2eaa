// SPDX-License-Identifier: BSD-3-Clause
// The rules of docs/design/cpu.md one by one, with times derived by hand.
#include "hw/machine/competitor.hpp"
#include "tests/catch.hpp"

using namespace hypermon;

namespace {

/// A Cpu that records the ends of work.
struct Node : Cpu {
  using Cpu::Cpu;
  std::vector<Time> ends;
  TaskId named(TaskDesign design) {
    ends.push_back(Time::never());
    return add(std::move(design));
  }
  void work(TaskId task, Time now, Time nominal) {
    run(task, now, nominal, [this, task](Time end) { ends[index(task)] = end; });
  }
  Time end(TaskId task) const { return ends[index(task)]; }
  void come(Time now) {
    for (Time t; (t = next()) <= now;) advance(t);
    advance(now);
  }
};

constexpr auto time_slices = CpuPolicy::time_slices;
constexpr auto fair_shares = CpuPolicy::fair_shares;
constexpr auto kernel_first = CpuPolicy::kernel_first;

} // namespace

TEST_CASE("a task alone is done after exactly its nominal time, whatever quantum and switch cost are") {
  for (const CpuPolicy policy : {kernel_first, time_slices, fair_shares}) {
    Node node({.policy = policy, .quantum = 7_us, .context_switch = 5_us});
    const TaskId task = node.named({"rank"});
    node.work(task, 3_us, 100_us);
    CHECK(node.next() == 3_us);
    node.come(102_us);
    CHECK(node.end(task) == Time::never());
    node.come(103_us);
    CHECK(node.end(task) == 103_us);
    CHECK(node.used(task) == 100_us);
    CHECK(node.times()[0].idle == 3_us);
    CHECK(node.times()[0].switches == 0);
  }
}

TEST_CASE("two tasks take turns of a quantum, each turn with a switch") {
  Node node({.policy = time_slices, .quantum = 10_us, .context_switch = 1_us});
  const TaskId a = node.named({"a"});
  const TaskId b = node.named({"b"});
  node.work(b, 0_us, 20_us);
  node.work(a, 0_us, 20_us); // requested at the same instant: ordered by task
  node.come(100_us);
  // a 0-10, switch, b 11-21, switch, a 22-32, switch, b 33-43
  CHECK(node.end(a) == 32_us);
  CHECK(node.end(b) == 43_us);
  CHECK(node.switches(a) == 1);
  CHECK(node.switches(b) == 2);
  CHECK(node.times()[0].switching == 3_us);
  CHECK(node.waited(a) == 12_us);
}

TEST_CASE("without slices a task has the processor until it waits") {
  Node node({.policy = kernel_first, .quantum = 10_us});
  const TaskId a = node.named({"a"});
  const TaskId b = node.named({"b"});
  node.work(a, 0_us, 50_us);
  node.work(b, 1_us, 20_us);
  node.come(100_us);
  CHECK(node.end(a) == 50_us);
  CHECK(node.end(b) == 70_us);
}

TEST_CASE("work of a higher priority takes the processor, and its quantum's rest waits for the one that lost it") {
  Node node({.policy = time_slices, .quantum = 10_us});
  const TaskId low = node.named({"low"});
  const TaskId other = node.named({"other"});
  const TaskId high = node.named({.name = "high", .priority = 1});
  node.work(low, 0_us, 20_us);
  node.work(other, 1_us, 20_us);
  node.work(high, 4_us, 3_us);
  node.come(100_us);
  CHECK(node.end(high) == 7_us);
  // low 0-4, high 4-7, low 7-13, other 13-23, low 23-33, other 33-43
  CHECK(node.end(low) == 33_us);
  CHECK(node.end(other) == 43_us);
}

TEST_CASE("three tasks on two processors have two thirds each") {
  Node node({.policy = time_slices, .processors = 2, .quantum = 10_us});
  for (const char* name : {"a", "b", "c"}) node.poll(node.named({name}), 0_us);
  node.come(300_us);
  for (std::uint32_t t = 0; t < 3; ++t) CHECK(node.used(TaskId{t}) == 200_us);
}

TEST_CASE("fair shares give a weight of 3 three times what they give a weight of 1") {
  Node node({.policy = fair_shares, .quantum = 1_ms});
  const TaskId light = node.named({"light"});
  const TaskId heavy = node.named({.name = "heavy", .weight = 3});
  node.poll(light, 0_us);
  node.poll(heavy, 0_us);
  node.come(400_ms);
  CHECK(node.used(light) == 100_ms);
  CHECK(node.used(heavy) == 300_ms);
}

TEST_CASE("who has slept has no more of the processor afterwards than who has not") {
  Node node({.policy = fair_shares, .quantum = 1_ms});
  const TaskId awake = node.named({"awake"});
  const TaskId sleeper = node.named({"sleeper"});
  node.poll(awake, 0_us);
  node.poll(sleeper, 1000_ms);
  node.come(1100_ms);
  CHECK(node.used(sleeper) == 50_ms);
  CHECK(node.used(awake) == 1050_ms);
}

TEST_CASE("the kernel takes the processor at once, and the task goes on where it was without a switch") {
  Node node({.policy = time_slices, .quantum = 10_us, .context_switch = 1_us});
  const TaskId a = node.named({"a"});
  node.work(a, 0_us, 10_us);
  node.interrupt(0, 4_us, 3_us);
  node.interrupt(0, 5_us, 2_us); // behind the first
  node.come(100_us);
  CHECK(node.end(a) == 15_us);
  CHECK(node.times()[0].kernel == 5_us);
  CHECK(node.switches(a) == 0);
}

TEST_CASE("an interrupt makes a context switch as much longer") {
  Node node({.policy = time_slices, .quantum = 10_us, .context_switch = 4_us});
  const TaskId a = node.named({"a"});
  const TaskId b = node.named({"b"});
  node.work(a, 0_us, 2_us);
  node.work(b, 0_us, 3_us);
  node.interrupt(0, 3_us, 5_us); // a 0-2, switch 2-3, kernel 3-8, switch 8-11, b 11-14
  node.come(100_us);
  CHECK(node.end(b) == 14_us);
  CHECK(node.times()[0].switching == 4_us);
}

TEST_CASE("the kernel may keep a processor before it knows for how long") {
  Node node({.policy = kernel_first});
  const TaskId a = node.named({"a"});
  node.work(a, 0_us, 10_us);
  node.keep(0, 4_us, Time::never());
  node.come(20_us);
  CHECK(node.next() == Time::never());
  node.keep(0, 20_us, 23_us);
  node.come(100_us);
  CHECK(node.end(a) == 29_us);
  CHECK(node.times()[0].kernel == 19_us);
}

TEST_CASE("who asks for more at the instant at which its work is done goes on before all others of its priority") {
  Node node({.policy = kernel_first, .context_switch = 1_us});
  const TaskId a = node.named({"a"});
  const TaskId b = node.named({"b"});
  node.work(a, 0_us, 10_us);
  node.work(b, 1_us, 10_us);
  node.advance(10_us);
  CHECK(node.end(a) == 10_us);
  node.work(a, 10_us, 5_us);
  node.come(100_us);
  CHECK(node.end(a) == 15_us);
  CHECK(node.end(b) == 26_us);
}

TEST_CASE("work of no time needs the processor") {
  Node node({.policy = time_slices, .quantum = 10_us});
  const TaskId burner = node.named({"burner"});
  const TaskId rank = node.named({"rank"});
  node.work(rank, 0_us, 0_us);
  node.come(0_us);
  CHECK(node.end(rank) == 0_us);
  node.poll(burner, 1_us);
  node.work(rank, 3_us, 0_us);
  node.come(10_us);
  CHECK(node.end(rank) == 0_us); // the one before
  node.come(11_us);              // the burner's quantum began at 1 us
  CHECK(node.end(rank) == 11_us);
  CHECK(node.used(rank) == 0_us);
}

TEST_CASE("work of no time waits for the switch to its task, not for the kernel") {
  Node node({.policy = time_slices, .quantum = 10_us, .context_switch = 2_us});
  const TaskId burner = node.named({"burner"});
  const TaskId rank = node.named({"rank"});
  node.work(burner, 0_us, 5_us);
  node.work(rank, 1_us, 0_us);
  node.come(6_us);
  CHECK(node.end(rank) == Time::never());
  node.come(7_us);
  CHECK(node.end(rank) == 7_us);
  node.interrupt(0, 8_us, 10_us);
  node.work(rank, 9_us, 0_us);
  node.come(9_us);
  CHECK(node.end(rank) == 9_us);
}

TEST_CASE("a task that polls burns until it is stopped, one that sleeps does not") {
  Node node({.policy = time_slices});
  const TaskId a = node.named({"a"});
  node.poll(a, 2_us);
  node.come(5_us);
  CHECK(node.used(a) == 3_us);
  node.stop(a, 9_us);
  node.come(20_us);
  CHECK(node.used(a) == 7_us);
  CHECK(node.next() == Time::never());
}

TEST_CASE("work that is cancelled is never done") {
  Node node({.policy = time_slices});
  const TaskId a = node.named({"a"});
  node.work(a, 0_us, 10_us);
  node.stop(a, 4_us);
  node.come(100_us);
  CHECK(node.end(a) == Time::never());
  CHECK(node.used(a) == 4_us);
}

TEST_CASE("a task goes to an idle processor, to its own before others") {
  Node node({.policy = time_slices, .processors = 2, .quantum = 10_us, .context_switch = 1_us});
  const TaskId a = node.named({"a"});
  const TaskId b = node.named({"b"});
  node.work(a, 0_us, 5_us);
  node.work(b, 0_us, 7_us);
  node.come(10_us);
  CHECK(node.end(a) == 5_us);
  CHECK(node.end(b) == 7_us);
  node.work(b, 10_us, 5_us); // the same processor as before: no switch
  node.come(20_us);
  CHECK(node.end(b) == 15_us);
  CHECK(node.times()[1].working == 12_us);
  CHECK(node.times()[0].switches + node.times()[1].switches == 0);
}

TEST_CASE("a bound task waits for its processor though another is idle") {
  Node node({.policy = time_slices, .processors = 2, .quantum = 10_us});
  const TaskId a = node.named({.name = "a", .processors = {1}});
  const TaskId b = node.named({.name = "b", .processors = {1}});
  node.work(a, 0_us, 10_us);
  node.work(b, 0_us, 10_us);
  node.come(100_us);
  CHECK(node.end(b) == 20_us);
  CHECK(node.times()[0].idle == 100_us);
}

TEST_CASE("what was announced for an instant is done at it, however far the caller goes") {
  Node node({.policy = time_slices, .quantum = 10_us});
  const TaskId burner = node.named({"burner"});
  const TaskId rank = node.named({"rank"});
  node.at(20_us, [&](Time now) { node.poll(burner, now); });
  node.at(40_us, [&](Time now) { node.stop(burner, now); });
  node.work(rank, 0_us, 50_us);
  node.advance(1000_us);
  // alone 0-20, burner 20-30 (the rank's quantum ended at 20 us), rank 30-40, alone 40-60
  CHECK(node.end(rank) == 60_us);
  CHECK(node.used(burner) == 10_us);
}

TEST_CASE("a competitor takes its CPU time, sleeps, and ends in the middle of either") {
  Node node({.policy = time_slices});
  const TaskId worker = add_competitor(node, {.task = {"a"}, .begin = 5_us, .end = 27_us, .busy = 3_us, .sleep = 7_us});
  node.come(100_us);
  CHECK(node.used(worker) == 8_us); // 5-8, 15-18, 25-27
  CHECK(node.next() == Time::never());
}
