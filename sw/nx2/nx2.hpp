// SPDX-License-Identifier: BSD-3-Clause
// NX/2 on every node: kernels, messages, ticks. The MPI calls of the program (mpi_calls.cpp) and SimGrid's
// communication signals act through this.
//
// A short message: the sender's software, the wire, the receiver's software. A long one: the sender's software, the
// request's flight, the receiver's (once the receive is posted), the grant's flight, the sender's, the data, the
// receiver's (facts: three trips). Each step's event is written by the CPU that makes it, when it makes it, and the
// next step waits for it. A node whose rank is not blocked in the call that waits for the data is interrupted at their
// end.
#pragma once
#include "hw/cosim/simgrid_date.hpp"
#include "hw/cosim/standstill.hpp"
#include "hw/machine/machine.hpp"
#include "hw/machine/task.hpp"
#include "hw/packets/core/io_observers.hpp"
#include "sw/nx2/message.hpp"
#include "sw/nx2/node_kernel.hpp"
#include "sw/nx2/smpi_messages.hpp"
#include "sw/nx2/traffic.hpp"
#include "sw/os/work_of.hpp"

#include <simgrid/engine.h>
#include <simgrid/s4u/Semaphore.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hypermon {

class ActivityRecorder;
class MpiObserver;
class NodeMemory;
class Cpu;
class Processors;

/// A rank's looks at clocks (clock_looks.hpp), in SimGrid's seconds.
struct Looks {
  double ahead = 0; // how far it has looked without sleeping; 0: it has slept
  double slept_until = -1;
  std::int64_t in_a_row = 0;
};

/// What a rank is blocked on; put into words only if somebody asks.
struct WaitsFor {
  const char* call = nullptr; // none: on nothing
  const char* direction = ""; // "" without peer and tag
  int peer = 0;               // or MPI_ANY_SOURCE
  int tag = 0;                // or MPI_ANY_TAG
  std::string text() const;
};

/// What a rank does and how long it took.
// One a rank, in an order to be read. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct RankState {
  int rank = 0;            // among the processes of all programs
  std::size_t program = 0; // the monitored one, or one of its neighbours from 1 on
  int first = 0;           // process that is rank 0 of the same program
  NodeKernel* kernel = nullptr;
  std::uint32_t of_kernel = 0; // its number among the ranks of this kernel
  bool instrumented = true;    // the host is not, nor is a neighbour
  WaitsFor waits_for;          // for the report of a deadlock
  bool measured = false;       // between start and end of the measured section
  Time begin;
  Time end;
  Time compute_time; // within the measured section
  Time emission_time;
  Time emission_before;       // the kernel's, when the section began
  bool shares_kernel = false; // with other ranks of its node: then only its own emissions are its
  Time own_emissions;
  bool initialized = false; // MPI_Init has returned
  bool finalized = false;
  bool is_child = false; // of fork: this process is none of the ranks
  bool ended = false;    // its process, whether it was to or not; when
  Time ended_at = Time::never();
  Looks looks;
  const char* in_mpi = nullptr;  // the MPI function that it is in
  const char* algorithm = "nx2"; // of the library's global operation that it is in, and how many messages of it it has
  std::int32_t algorithm_step = 0; // sent: what observers of messages are told
  std::uint64_t call_number = 0;   // of it, or of the last one: from 1 on (OperationId::of_call)
  Standstill calls;                // of MPI, while simulated time stands still
  std::uint64_t charges = 0;       // by the program (hypermon_charge), and their time
  Time charged;
  Time computed;                       // all that it has computed, measured or not
  Time computes_since = Time::never(); // what it computes now: when it began, and the kernel's time until then
  Time kernel_before;
  Time owed;                          // it has computed for so long, and has not slept for it yet (Nx2::owe)
  WorkOf works_for = WorkOf::program; // what it computes now, but for the first so much of it, a monitor's
  Time works_for_monitor;
  Time paging;                // for so long it waited for pages
  std::optional<TaskId> task; // on its node's processors; none: it has one for itself (sharing.cpp)
  bool waits_in_mpi = false;  // and has left its processor
};

/// What a shared node's processors did until the program ended, and what each rank had of them.
struct NodeAccounts {
  std::vector<ProcessorTimes> processors; // empty: not shared
};
struct RankAccounts {
  Time used;
  Time waited;
  std::uint64_t switches = 0;
};

/// "rank 3", "rank 3 of neighbour 0"
std::string name_of(const RankState& rank);

class Nx2 {
public:
  Nx2(const Spec& spec, Machine& machine, Processors& processors, Monitor& monitor, bool with_host);
  Nx2(const Nx2&) = delete;
  Nx2& operator=(const Nx2&) = delete;
  ~Nx2();
  /// Connects SimGrid's communication signals and starts the ticks. The ranks' actors come afterwards.
  void start();
  /// There is no program: the nodes run idle from now on until `end`. Instead of ranks, before start().
  void run_idle(Time end);

  /// The rank whose actor calls.
  RankState& self() { return *caller(); }
  /// None, if it is not a rank's.
  RankState* caller();
  void register_rank(int rank);
  /// Of the monitored program, then of each neighbour.
  const std::vector<RankState>& ranks() const { return ranks_; }
  /// Ranks of the monitored program: its host rank is one of them.
  int world_size() const { return size_of(0); }
  int size_of(std::size_t program) const { return sizes_[program]; }
  std::size_t programs() const { return sizes_.size(); }
  simgrid::s4u::Host* place_of(int rank) const { return places_[static_cast<std::size_t>(rank)]; }
  int nodes() const { return nodes_; }
  /// Are messages NX/2's (machine.messages = nx2)? Otherwise MPI calls go to SMPI as they are.
  bool models_messages() const { return models_messages_; }
  /// Is there another MPI library than SMPI's? Then communicators are numbered, and what the program says that it
  /// computes is charged.
  bool has_own_library() const { return has_own_library_; }
  /// Event data of all nodes. Who runs the simulation advances it.
  EventVolume& volume() { return volume_; }
  /// When the last instrumented rank came to its end: no node emits anything after it. never() before.
  Time program_end() const { return program_end_; }
  /// Blocks the calling actor, which is no rank's, until then, or until all ranks have come to whatever end.
  void await_program_end();
  /// The rank's process ends.
  void rank_ended(RankState& rank);
  bool has_ended(int rank) const { return ranks_[static_cast<std::size_t>(rank)].ended; }
  /// From now on deadlocks are looked for even if nodes have no ticks: others than ranks keep SimGrid busy.
  void watch_for_deadlock();
  /// From an actor that is no rank's: the node's kernel works for `nominal`, before the program; returns at its end.
  /// `account`: to which that is added.
  void work_in_kernel(NodeId node, Time nominal, BusyTime* account = nullptr);
  /// From anywhere: the node's kernel is interrupted for `nominal`, before the program; nobody waits for it.
  void interrupt(NodeId node, Time nominal);

  // For who reads counters. Before the ranks start.
  NodeKernel& node_kernel(NodeId node) { return *kernels_[index(node)]; }
  const NodeKernel& node_kernel(NodeId node) const { return *kernels_[index(node)]; }
  /// CPU time that the rank's program has computed until `now`, SimGrid's date; only if its kernel keeps an account.
  Time computed(const RankState& rank, Time now) const;
  Processors& processors() const { return processors_; }
  /// The node's, up to now; null if nobody shares them.
  const Cpu* shared_cpu(NodeId node) const;
  /// Messages and their transfers are counted from now on.
  void keep_traffic();
  /// Only if it is kept.
  const Traffic& traffic() const { return *traffic_; }
  /// For a library of its own (sw/messages): where its messages are counted; null: nobody asks.
  Traffic* counted() { return traffic_.get(); }
  /// What a rank's messages wait for now; only if traffic is kept.
  struct Queues {
    std::uint64_t posted;
    std::uint64_t unexpected;
    std::int64_t buffered_bytes;
  };
  Queues queues(int rank) const;
  /// A library of its own knows them. Before the ranks start.
  void ask_for_queues(std::function<Queues(int rank)> of_library) { queues_ = std::move(of_library); }
  /// `activity` is told when ranks compute. Before the ranks start; it must live longer.
  void tell_activity(ActivityRecorder& activity) { activity_ = &activity; }
  /// `observer` is told of all MPI calls of the program. Before the ranks start; it must live longer.
  void observe_mpi(MpiObserver& observer) { mpi_observers_.push_back(&observer); }
  /// Who is told of the rank's calls: nobody of a neighbour's.
  const std::vector<MpiObserver*>& mpi_observers(const RankState& rank) const {
    static const std::vector<MpiObserver*> none;
    return rank.program == 0 ? mpi_observers_ : none;
  }
  /// Does anybody want to know of the rank's MPI calls?
  bool watches_mpi(const RankState& rank) const { return rank.program == 0 && (emits_mpi_ || !mpi_observers_.empty()); }

  // A network of packets and a file system on it (hw/packets): null where the machine has none.
  PacketNetwork* packet_network() const { return packet_network_; }
  ParallelFileSystem* file_system() const { return file_system_; }
  /// Before the ranks start; they must live longer. A deadlock is none while `under_way`: something there may wake a
  /// rank.
  void use(PacketNetwork* network, ParallelFileSystem* files, std::function<bool()> under_way);
  /// Who is told of what goes on in these, and inside collective calls; to add to before the ranks start.
  IoObservers& io_observers() { return io_observers_; }
  /// Computers under programs: the nodes, the host if it has a rank, the neighbours' nodes. A rank is at its kernel's
  /// node(), and that is its Station and the client's node of a FileRequest; of_kernel chooses its network interface.
  std::size_t places() const { return kernels_.size(); }

  // --- from a rank's actor -------------------------------------------------------------------------------------------
  /// MPI_Init has returned / MPI_Finalize is called.
  void begin(RankState& rank);
  void end(RankState& rank);
  /// The measured section, the whole program by default.
  void begin_measured(RankState& rank) const;
  void end_measured(RankState& rank) const;
  /// The rank's kernel work: `work(kernel)` opens it, the rank sleeps until it is done.
  template <class Work> void kernel_work(RankState& rank, Work&& work, WorkOf of = WorkOf::system) {
    pay(rank);
    rank.kernel->open(now());
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
      keep_processor(*rank.kernel, rank.task);
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
  static Time date(const RankState& rank) { return now() + rank.owed; }
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
    ++sleeping_ranks_;
    ++progress_;
    call();
    --sleeping_ranks_;
    rank.waits_for = before;
    if (rank.task) regain_processor(rank);
  }
  /// By node and by rank; empty if no node is shared.
  const std::vector<NodeAccounts>& node_accounts() const { return node_accounts_; }
  const std::vector<RankAccounts>& rank_accounts() const { return rank_accounts_; }
  /// It works on so many bytes from now on; nothing, where memory is not modelled.
  void set_working_set(RankState& rank, std::int64_t bytes);
  /// A process that takes room; nothing, where memory is not modelled.
  void add_bystander(NodeId node, const std::string& name, std::int64_t bytes);
  /// Null: not modelled.
  const NodeMemory* memory(NodeId node) const;
  /// The rank's number among its node's.
  std::size_t on_its_node(const RankState& rank) const;
  /// Counts it; does it take time?
  bool counts(RankState& rank, Time nominal) const;
  /// What the program says is counted, but takes no time.
  void ignore_charges() { ignores_charges_ = true; }

  /// `blocks`: the sender awaits a long one's grant; `synchronous`: the message is treated as a long one.
  std::shared_ptr<Message> prepare(int source, int destination, int tag, Context context, std::int64_t bytes,
                                   bool blocks, bool synchronous = false);
  void send(const std::shared_ptr<Message>& message);
  /// Only so many of its bytes go to SMPI, which has not got them yet.
  void shorten(const std::shared_ptr<Message>& message, std::int64_t bytes);
  /// Takes back a message that no receive has matched; false if one has.
  bool withdraw(const std::shared_ptr<Message>& message);
  void post(int rank, const std::shared_ptr<Receive>& receive);
  Matcher& matcher(int rank) { return matchers_[static_cast<std::size_t>(rank)]; }
  const Matcher& matcher(int rank) const { return matchers_[static_cast<std::size_t>(rank)]; }
  /// The rank no longer sleeps in the call that would have taken the receive's data: from now on it is interrupted.
  void unblock(Receive& receive);
  /// A message that a receive would get now; none if none is here.
  std::shared_ptr<const Message> probe(int rank, const Receive& wanted) const;
  /// Blocks until the rank's node takes note of some message.
  void await_notice(int rank);

  // A message's steps, in kernel mode on one of its two nodes: the time they take, and their events.
  /// Receiver of a long message: its request is here and the receive is posted.
  void grant(NodeKernel& k, const std::shared_ptr<Message>& message);
  /// Sender of a long message: the grant is here.
  void take_grant(NodeKernel& k, const Message& message) const;
  /// Sender of a long message: the data have left.
  void finish_departure(NodeKernel& k, const Message& message) const;
  /// Receiver: the data are here.
  void take_delivery(NodeKernel& k, const Message& message) const;
  /// CPU time of each software step of a message of that size.
  Time overhead(std::int64_t bytes) const { return machine_.message_overhead(bytes); }
  Time syscall_cost() const { return syscall_; }
  Time test_cost() const { return test_; }
  bool is_short(std::int64_t bytes) const { return machine_.is_short(bytes); }
  /// What events say of a message. peer_and_length: the peer in the upper 8 bits and the length in the lower 24; on
  /// machines whose peers need more, 16 bits each, longer messages as 65535 (chosen).
  PointData describe(int peer, std::int64_t bytes, int tag) const {
    const auto from = static_cast<std::uint32_t>(peer);
    return {.peer = from,
            .bytes = static_cast<std::uint32_t>(bytes),
            .tag = static_cast<std::uint32_t>(tag),
            .peer_and_length = world_size() <= 256
                                   ? from << 24 | static_cast<std::uint32_t>(bytes & 0xffffff)
                                   : from << 16 | static_cast<std::uint32_t>(std::min<std::int64_t>(bytes, 0xffff))};
  }
  PointData describe(const Message& message, int peer) const { return describe(peer, message.bytes, message.tag); }

  /// What each rank that has not ended does, a line each, with what it waits for; of the first ones of many.
  std::string doing() const;

  static Time now() { return simgrid_now(); }
  /// Ends the run if a date so many seconds from now is beyond what Time can say.
  void check_reach(double seconds) const {
    constexpr double farthest_s = 9e6; // 2^63 ps are 9.2 million
    if (!(simgrid_get_clock() + seconds < farthest_s)) [[unlikely]]
      fail_beyond_reach();
  }
  void sleep_until(Time t);
  /// SimGrid's, to the bit.
  void sleep_for(double seconds);

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
    ++sleeping_ranks_;
    ++progress_;
    known->acquire();
    --sleeping_ranks_;
  }
  static void close_section(RankState& rank);
  void program_has_ended();
  void tell_that_it_ended();
  void give_memory(const Spec& spec);
  NodeMemory* memory_of(const RankState& rank);
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
  void tick_forever(NodeKernel& kernel);
  /// Work that interrupts what runs on the node.
  template <class Work> void interrupt(NodeKernel& kernel, Time now, Work&& work, WorkOf of = WorkOf::system);
  /// The kernel has the processor of that task, else the first one, until what it was asked for is done.
  void keep_processor(NodeKernel& kernel, std::optional<TaskId> task);
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
  void close_accounts();
  RankState* rank_of(std::size_t pid) { return pid < rank_of_pid_.size() ? rank_of_pid_[pid] : nullptr; }
  /// From, to, bytes: all that SimGrid tells of a transfer.
  using Wire = std::tuple<const simgrid::s4u::Host*, const simgrid::s4u::Host*, double>;
  using Messages = std::multimap<Wire, std::shared_ptr<Message>>;
  /// That of so many of the message's bytes.
  Wire wire(const Message& message, std::int64_t bytes) const;
  /// Removes and returns the oldest message that the transfer may carry, if one of ours.
  static Messages::node_type take(Messages& messages, const Machine::Transfer& transfer);
  /// SMPI will not carry it.
  void take_from_wire(const std::shared_ptr<Message>& message);
  void transfer_begins(const Machine::Transfer& transfer);
  void transfer_ends(const Machine::Transfer& transfer);
  void later(Time when, const std::function<void()>& action);
  Time flight(const Message& message) const;
  void give_notice(int rank);
  void tell_begins(Message& message);
  void request_arrives(const std::shared_ptr<Message>& message);
  void data_arrive(Message& message);
  void note_arrival(Message& message);
  NodeKernel& kernel(int rank) { return *ranks_[static_cast<std::size_t>(rank)].kernel; }
  void check_for_deadlock();
  /// Ends the process if a rank has not ended.
  void fail_deadlocked() const;
  /// Of SMPI's own messages: what can wake a rank.
  void watch_smpi();
  /// Of the monitored program's nodes, then of its host's and of the neighbours' places.
  NodeId add_kernel(Monitor& monitor);
  /// A rank under the last kernel.
  void add_rank(const Spec& spec, std::size_t program, simgrid::s4u::Host* place);
  bool is_instrumented(NodeId node) const { return static_cast<int>(index(node)) < nodes_; }

  Machine& machine_;
  Processors& processors_;
  bool records_;
  bool models_messages_;
  bool has_own_library_;
  bool ignores_charges_ = false;
  int nodes_;
  int ranks_per_node_;
  bool ranks_poll_;
  std::int64_t rank_weight_;
  Time tick_;
  Time syscall_;
  Time test_;
  Microseconds start_spread_;
  EventVolume volume_;
  Time program_end_ = Time::never();
  std::vector<simgrid::s4u::SemaphorePtr> awaiting_end_;
  bool looks_for_deadlocks_ = false;
  Catalogue catalogue_;
  bool emits_mpi_;                                   // the catalogue has points of MPI calls, and somebody records them
  std::vector<std::unique_ptr<NodeKernel>> kernels_; // nodes, the host, neighbours' nodes
  std::vector<RankState> ranks_;
  std::vector<simgrid::s4u::Host*> places_; // by rank
  std::vector<int> sizes_;                  // by program
  std::vector<NodeMemory> memories_;        // by node; none: not modelled
  Time page_read_;
  Time page_touch_;
  Time stretch_;
  std::vector<NodeAccounts> node_accounts_;
  std::vector<RankAccounts> rank_accounts_;
  std::vector<RankState*> rank_of_pid_; // null: not a rank
  std::vector<MpiObserver*> mpi_observers_;
  ActivityRecorder* activity_ = nullptr; // none: nobody asks
  IoObservers io_observers_;
  PacketNetwork* packet_network_ = nullptr;
  ParallelFileSystem* file_system_ = nullptr;
  std::function<bool()> under_way_; // none: nothing ever is
  std::vector<Matcher> matchers_;
  std::unique_ptr<Traffic> traffic_;                        // none: nobody asks
  std::function<Queues(int)> queues_;                       // none: these, or SMPI's, are known here
  std::unique_ptr<SmpiMessages> smpi_messages_;             // with machine.messages = smpi
  std::vector<simgrid::s4u::SemaphorePtr> awaiting_notice_; // ranks blocked in a probe
  std::uint64_t next_message_ = 1;
  Messages before_wire_;       // sent, transfer not begun; of the same places and size in the order of the sends
  Messages on_wire_;           // in the order of the transfers' beginnings
  std::int64_t transfers_ = 0; // SMPI's own included
  // Ticks go on for ever, so SimGrid never finds a deadlock itself. Only these can wake a rank:
  std::int64_t sleeping_ranks_ = 0; // and those that wait for their kernels
  std::int64_t timers_ = 0;         // set, or to be set when a held emission is done
  std::uint64_t progress_ = 0;      // changes whenever anything but a tick happens
  std::uint64_t seen_progress_ = 0; // at the last tick of node 0
  Time still_since_;                // of its ticks, the last that saw progress
};

/// The one operating system of the process: SMPI calls the hooks without an argument of ours.
Nx2& nx2();
void set_nx2(Nx2* instance);

} // namespace hypermon
