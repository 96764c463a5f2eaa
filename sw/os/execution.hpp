// SPDX-License-Identifier: BSD-3-Clause
// The time that ranks take: of their kernels, of their nodes' processors, of pages. What a rank does here its actor
// sleeps for.
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
  /// What it works with, which must live longer.
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
  /// Connects SimGrid's signals. The ranks' actors come afterwards.
  void start();
  /// The calling actor is the rank: it takes a processor, if its node's are shared.
  void register_rank(int rank);

  /// The rank's kernel work: `work(kernel)` opens it, the rank sleeps until it is done.
  template <class Work> void kernel_work(RankState& rank, Work&& work, WorkOf of = WorkOf::system) {
    pay(rank);
    rank.kernel->open(simgrid_now());
    if (rank.shares_kernel) [[unlikely]]
      begin_own_work(rank);
    if (activity_ != nullptr) [[unlikely]]
      tell_begin(rank);
    work(*rank.kernel);
    if (activity_ != nullptr) [[unlikely]]
      tell_end(rank, of);
    if (rank.shares_kernel) [[unlikely]]
      end_own_work(rank);
    if (rank.task) [[unlikely]]
      kernels_.keep_processor(*rank.kernel, rank.task);
    Time done;
    await(*rank.kernel, [&](Time end) { done = end; });
    sleep_until(done);
  }
  /// Emits the point's event from the rank's program, if the catalogue has one: else it costs nothing, and changes no
  /// time.
  void emit(RankState& rank, Point point, const PointData& data = {}) {
    if (rank.kernel->emits(point)) kernel_work(rank, [&](NodeKernel& k) { k.emit(point, data); });
  }
  /// The rank computes: the CPU gives it `nominal` time, interrupts come on top. What it computes within an MPI call is
  /// not the program's.
  void compute(RankState& rank, Time nominal, WorkOf of = WorkOf::program);
  /// The same, between the program's MPI calls: observers are told.
  void compute_observed(RankState& rank, Time nominal);
  /// A monitor computes in the program's process for `nominal`, and does something that nobody else sees before the
  /// program goes on: its actor does not sleep for it now, but with the next that it computes, or in pay(), which all
  /// that others see begins with. Where no interrupt comes in between, dates are the same to the picosecond as with
  /// compute().
  void owe(RankState& rank, Time nominal) {
    const Time work = rank.kernel->clock().stretch(nominal);
    if (rank.measured) rank.compute_time += work;
    rank.owed += work;
  }
  void pay(RankState& rank) {
    if (rank.owed > Time{}) compute_stretched(rank, Time{});
  }
  /// Until when it has come: before it sleeps for what it owes, as if no interrupt came then.
  static Time date(const RankState& rank) { return simgrid_now() + rank.owed; }
  /// The same, for as long as the rank's host takes for `flops`: SimGrid's, to the bit where nothing interrupts. Ranks
  /// share a host. Fails where the machine's hosts have no speed of their own.
  void execute(RankState& rank, double flops);
  /// SimGrid has executed something of the program's own code since `begin`.
  void executed(const RankState& rank, Time begin);
  /// The same, because the program says so.
  void charge(RankState& rank, Time nominal);

  // A rank with a task (RankState::task) shares its node's processors: it holds one while its program runs, leaves it
  // while an MPI call waits, unless it polls, and goes on when it has one again.
  /// Takes so much CPU time of its node, as it is.
  void take(RankState& rank, Time work);
  /// What an MPI function of the program returns.
  template <class Call> auto in_mpi(RankState& rank, Call&& call) {
    if (!rank.task) [[likely]]
      return call();
    leave_processor(rank);
    const auto returned = call();
    regain_processor(rank);
    return returned;
  }
  /// The program sleeps.
  void rest_until(RankState& rank, Time t);
  /// The program is in a system call: `call` blocks its actor until somebody lets it go on, who does not depend on any
  /// rank. `name`: static, for whoever asks what it waits for.
  template <class Call> void in_system_call(RankState& rank, const char* name, Call&& call) {
    const WaitsFor before = std::exchange(rank.waits_for, WaitsFor{name});
    if (rank.task) sleep_in_kernel(rank);
    wake_ups_.sleeps();
    call();
    wake_ups_.wakes();
    rank.waits_for = before;
    if (rank.task) regain_processor(rank);
  }
  /// It works on so many bytes from now on; nothing, where memory is not modelled.
  void set_working_set(RankState& rank, std::int64_t bytes);
  /// Counts it; does it take time?
  bool counts(RankState& rank, Time nominal) const;
  /// What the program says is counted, but takes no time.
  void ignore_charges() { ignores_charges_ = true; }

  /// Ends the run if a date so many seconds from now is beyond what Time can say.
  void check_reach(double seconds) const {
    constexpr double farthest_s = 9e6; // 2^63 ps are 9.2 million
    if (!(simgrid_get_clock() + seconds < farthest_s)) [[unlikely]]
      fail_beyond_reach();
  }
  void sleep_until(Time t);
  /// SimGrid's, to the bit.
  void sleep_for(double seconds);

  // Costs of NX/2's calls: of a system call that moves no data, and of a test of a message's done flag.
  Time syscall_cost() const { return syscall_; }
  Time test_cost() const { return test_; }

  // For counters and for files that say what ranks did.
  /// CPU time that the rank's program has computed until `now`, SimGrid's date; only if its kernel keeps an account.
  Time computed(const RankState& rank, Time now) const;
  Processors& processors() const { return processors_; }
  /// The node's, up to now; null if nobody shares them.
  const Cpu* shared_cpu(NodeId node) const;
  /// `activity` is told when ranks compute; it must live longer.
  void tell_activity(ActivityRecorder& activity) { activity_ = &activity; }
  /// `observer` is told of what the program does between its MPI calls; it must live longer.
  void observe(ProgramObserver& observer) { program_observers_.push_back(&observer); }
  /// Observers of what the rank's program does; none for a neighbour's.
  const std::vector<ProgramObserver*>& program_observers(const RankState& rank) const {
    static const std::vector<ProgramObserver*> none;
    return rank.program == 0 ? program_observers_ : none;
  }

private:
  [[noreturn]] void fail_beyond_reach() const;
  /// kernel.then(f), and blocks the calling rank until f was called.
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
  /// As compute(), the crystal's share included, with what is owed.
  void compute_stretched(RankState& rank, Time work, WorkOf of = WorkOf::program);
  void compute_in_one(RankState& rank, Time work);
  void compute_paging(RankState& rank, Time work);
  /// It has computed for `work`, and waits for what it missed meanwhile.
  void await_pages(RankState& rank, Time work);
  static void begin_computing(RankState& rank, Time begin);
  static void end_computing(RankState& rank, Time work);
  /// Until the program has made up for the interrupts since they had taken `taken` of its CPU. `end`: when it would be
  /// done without.
  /// Returns when it is done.
  Time outlast_interrupts(RankState& rank, Time end, Time taken);
  void tell_begin(RankState& rank);
  void tell_end(RankState& rank, WorkOf of);
  void tell_work(RankState& rank, Time begin, Time end, Time work);
  static void begin_own_work(RankState& rank);
  static void end_own_work(RankState& rank);
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
  ActivityRecorder* activity_ = nullptr; // none: nobody asks
  std::vector<ProgramObserver*> program_observers_;
};

inline Execution* the_execution = nullptr;
/// The object of the process: functions that SMPI and the program call have no argument of ours.
inline Execution& execution() { return *the_execution; }

} // namespace hypermon
