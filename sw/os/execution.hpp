// SPDX-License-Identifier: BSD-3-Clause
// Makes ranks spend time: for work of their kernels, on their nodes' processors and waiting for pages. The actor of the
// rank sleeps for that time.
#pragma once
#include "hw/cosim/simgrid_date.hpp"
#include "hw/machine/processors.hpp"
#include "sw/os/kernels.hpp"
#include "sw/os/memories.hpp"
#include "sw/os/ranks.hpp"
#include "sw/os/wake_ups.hpp"

#include <simgrid/engine.h>
#include <simgrid/s4u/Semaphore.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace hypermon {

class ActivityRecorder;
class Cpu;
class ProgramObserver;

class Execution {
public:
  /// The other parts of the simulation. They must outlive this object.
  struct Parts {
    Machine& machine;
    Processors& processors;
    Kernels& kernels;
    RankTable& ranks;
    Memories& memories;
    WakeUps& wake_ups;
  };
  Execution(const Spec& spec, const Parts& parts);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  /// Connects SimGrid's signals. Call it before the ranks' actors are created.
  void start();
  /// Makes the calling actor the rank. It takes a processor if its node's processors are shared.
  void register_rank(int rank);

  /// Kernel work for the rank: `work(kernel)` requests it, and the rank sleeps until it is done.
  template <class Work> void kernel_work(RankState& rank, Work&& work, WorkOf owner = WorkOf::system) {
    pay(rank);
    rank.kernel->open(simgrid_now());
    if (rank.own_emissions.are_counted) [[unlikely]]
      begin_own_work(*rank.kernel, rank.own_emissions);
    if (activity_ != nullptr) [[unlikely]]
      tell_begin(rank);
    work(*rank.kernel);
    if (activity_ != nullptr) [[unlikely]]
      tell_end(rank, owner);
    if (rank.own_emissions.are_counted) [[unlikely]]
      end_own_work(*rank.kernel, rank.own_emissions);
    if (rank.processor.task) [[unlikely]]
      kernels_.keep_processor(*rank.kernel, rank.processor.task);
    Time done;
    await(*rank.kernel, [&](Time end) { done = end; });
    sleep_until(done);
  }
  /// Emits an event of the point from the rank's program if the catalogue has one. Otherwise it takes no time and
  /// changes no simulated time.
  void emit(RankState& rank, Point point, const PointData& data = {}) {
    if (rank.kernel->emits(point)) kernel_work(rank, [&](NodeKernel& k) { k.emit(point, data); });
  }
  /// The rank computes for `nominal` CPU time. Interrupts prolong it. Computation within an MPI call does not count as
  /// the program's.
  void compute(RankState& rank, Time nominal, WorkOf owner = WorkOf::program);
  /// Like compute(), for computation between the program's MPI calls; observers are notified.
  void compute_observed(RankState& rank, Time nominal);
  /// A monitor computes in the program's process for `nominal`, and no other process sees the result before the program
  /// continues. The actor therefore does not sleep now: it sleeps with the rank's next computation, or in pay(), which
  /// precedes every action that others see. Without an interrupt in between, all times equal those with compute() to
  /// the picosecond.
  void owe(RankState& rank, Time nominal) {
    const Time work = rank.kernel->clock().stretch(nominal);
    if (rank.section.is_open) rank.section.compute_time += work;
    rank.computation.owed += work;
  }
  void pay(RankState& rank) {
    if (rank.computation.owed > Time{}) compute_stretched(rank, Time{});
  }
  /// Time that the rank has reached: the simulated time and the time that it still owes, without interrupts in that
  /// time.
  static Time date(const RankState& rank) { return simgrid_now() + rank.computation.owed; }
  /// Like compute(), for the time that the rank's host takes for `flops`. Without interrupts it is exactly SimGrid's
  /// time, also if ranks share a host. Fails if the machine's hosts have no speed.
  void execute(RankState& rank, double flops);
  /// SimGrid has executed the program's own code since `begin`.
  void executed(const RankState& rank, Time begin);
  /// Computation that the program declares with a call of hypermon.h.
  void charge(RankState& rank, Time nominal);

  // A rank with a task (ProcessorUse::task) shares its node's processors. It holds a processor while its program runs,
  // releases it while an MPI call waits without polling, and continues when it has a processor again.
  /// Takes `work` of CPU time on the rank's node, without the stretch by the node's clock.
  void take(RankState& rank, Time work);
  /// Runs an MPI function of the program and returns its result. A rank with a task releases its processor meanwhile.
  template <class Call> auto in_mpi(RankState& rank, Call&& call) {
    if (!rank.processor.task) [[likely]]
      return call();
    leave_processor(rank);
    const auto returned = call();
    regain_processor(rank);
    return returned;
  }
  /// The program sleeps until `t`.
  void rest_until(RankState& rank, Time t);
  /// The program is in a system call: `call` blocks its actor until something that depends on no rank wakes it. `name`:
  /// static string, for the report of what the rank waits for.
  template <class Call> void in_system_call(RankState& rank, const char* name, Call&& call) {
    const WaitsFor before = std::exchange(rank.waits_for, WaitsFor{name});
    if (rank.processor.task) sleep_in_kernel(rank);
    wake_ups_.sleeps();
    call();
    wake_ups_.wakes();
    rank.waits_for = before;
    if (rank.processor.task) regain_processor(rank);
  }
  /// Number of bytes that the rank works on from now on. No effect if memory is not modelled.
  void set_working_set(RankState& rank, std::int64_t bytes);
  /// Counts computation that the program declares. Returns whether it also takes time.
  bool counts(RankState& rank, Time nominal) const;
  /// From now on, computation that the program declares is counted but takes no time.
  void ignore_charges() { ignores_charges_ = true; }

  /// Ends the run if the time `seconds` from now is larger than Time can represent.
  void check_reach(double seconds) const {
    constexpr double farthest_s = 9e6; // 2^63 ps are 9.2 million
    if (!(simgrid_get_clock() + seconds < farthest_s)) [[unlikely]]
      fail_beyond_reach();
  }
  void sleep_until(Time t);
  /// Sleeps exactly as long as SimGrid's own sleep.
  void sleep_for(double seconds);

  // CPU time of NX/2's calls: a system call that moves no data, and a test of a message's done flag.
  Time syscall_cost() const { return syscall_; }
  Time test_cost() const { return test_; }

  // Used by counters and by files about the ranks' activity.
  /// CPU time that the rank's program has computed until `now`, the simulated time. Valid only if its kernel keeps an
  /// account.
  Time computed(const RankState& rank, Time now) const;
  Processors& processors() const { return processors_; }
  /// Processors of the node, brought up to now; null: they are not shared.
  const Cpu* shared_cpu(NodeId node) const;
  /// `activity` is told when ranks compute. It must outlive this object.
  void tell_activity(ActivityRecorder& activity) { activity_ = &activity; }
  /// `observer` is notified of the program's actions between its MPI calls. It must outlive this object.
  void observe(ProgramObserver& observer) { program_observers_.push_back(&observer); }
  /// Observers of the rank's program; empty for a neighbour's rank.
  const std::vector<ProgramObserver*>& program_observers(const RankState& rank) const {
    static const std::vector<ProgramObserver*> none;
    return rank.program == 0 ? program_observers_ : none;
  }

private:
  [[noreturn]] void fail_beyond_reach() const;
  /// Calls kernel.then(f) and blocks the calling rank until f has been called.
  template <class F> void await(NodeKernel& kernel, F&& f) {
    if (kernel.settled()) return kernel.then(f);
    const auto known = simgrid::s4u::Semaphore::create(0);
    kernel.then([&](Time end) {
      f(end);
      known->release();
    });
    wake_ups_.sleeps();
    known->acquire();
    wake_ups_.wakes();
  }
  /// Like compute(), for `work` already stretched by the node's clock (its crystal), plus the time that the rank owes.
  void compute_stretched(RankState& rank, Time work, WorkOf owner = WorkOf::program);
  void compute_in_one(RankState& rank, Time work);
  void compute_paging(RankState& rank, Time work);
  /// The rank has computed for `work`, and now waits for the pages that it missed in that time.
  void await_pages(RankState& rank, Time work);
  static void begin_computing(const NodeKernel& kernel, RankComputation& computation, Time begin);
  static void end_computing(RankComputation& computation, Time work);
  /// Blocks until the program has made up for the interrupts since the moment when they had taken `taken` of its CPU.
  /// `end`: end of the computation without interrupts. Returns the actual end.
  Time outlast_interrupts(RankState& rank, Time end, Time taken);
  void tell_begin(RankState& rank);
  void tell_end(RankState& rank, WorkOf owner);
  void tell_work(RankState& rank, Time begin, Time end, Time work);
  static void begin_own_work(NodeKernel& kernel, RankEmissions& own);
  static void end_own_work(NodeKernel& kernel, RankEmissions& own);
  void join_processors(RankState& rank);
  void leave_processor(RankState& rank);
  void regain_processor(RankState& rank);
  void hold_processor(RankState& rank);
  void sleep_in_kernel(RankState& rank);
  void watch_sleeps();

  Machine& machine_;
  Processors& processors_;
  Kernels& kernels_;
  RankTable& ranks_;
  Memories& memories_;
  WakeUps& wake_ups_;
  int ranks_per_node_;
  bool ranks_poll_;
  std::int64_t rank_weight_;
  Time syscall_;
  Time test_;
  bool ignores_charges_ = false;
  ActivityRecorder* activity_ = nullptr; // null: activity is not recorded
  std::vector<ProgramObserver*> program_observers_;
};

inline Execution* the_execution = nullptr;
/// The process has one Execution: functions that SMPI and the program call get no argument from hypermon.
inline Execution& execution() { return *the_execution; }

} // namespace hypermon
