// SPDX-License-Identifier: BSD-3-Clause
#include "sw/nx2/nx2.hpp"
#include "base/limits_params.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/cosim/sleep.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/memory.hpp"
#include "hw/machine/neighbour_params.hpp"
#include "hw/machine/params.hpp"
#include "hw/machine/processors.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/nx2/activity.hpp"
#include "sw/nx2/interrupt.hpp"
#include "sw/nx2/mpi_observer.hpp"
#include "sw/nx2/os_params.hpp"

#include <smpi/smpi.h>

#include <algorithm>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;

Nx2* instance = nullptr;

} // namespace

std::string name_of(const RankState& rank) {
  return "rank " + std::to_string(rank.rank - rank.first) +
         (rank.program == 0 ? "" : " of neighbour " + std::to_string(rank.program - 1));
}

Nx2& nx2() { return *instance; }
void set_nx2(Nx2* i) { instance = i; }

Nx2::Nx2(const Spec& spec, Machine& machine, Processors& processors, Monitor& monitor, bool with_host)
    : machine_(machine), processors_(processors), records_(monitor.records()),
      models_messages_(spec.get<MachineParams>().messages == hypermon::Messages::nx2),
      has_own_library_(spec.get<MachineParams>().messages != hypermon::Messages::smpi),
      nodes_(static_cast<int>(spec.nodes)), ranks_per_node_(static_cast<int>(spec.get<CpuParams>().ranks_per_node)),
      ranks_poll_(spec.get<CpuParams>().waiting == WaitingRank::poll), rank_weight_(spec.get<CpuParams>().rank_weight),
      tick_(spec.get<NodeParams>().tick_ms), syscall_(spec.get<OsParams>().syscall_us),
      test_(spec.get<OsParams>().test_us), start_spread_(spec.get<NodeParams>().start_spread_us),
      catalogue_(read_catalogue(spec.get<InstrumentationParams>().catalogue)),
      emits_mpi_(records_ && std::any_of(catalogue_.rows().begin(), catalogue_.rows().end(),
                                         [](const EventRow& row) { return row.point >= Point::mpi_0; })) {
  for (int n = 0; n < nodes_; ++n) {
    const NodeId node = add_kernel(monitor);
    for (int r = 0; r < ranks_per_node_; ++r) add_rank(spec, 0, machine.node(node));
  }
  const auto add_alone = [&](std::size_t program, sg4::Host* place) {
    add_kernel(monitor);
    add_rank(spec, program, place);
  };
  if (with_host) add_alone(0, machine.host());
  const auto& neighbours = spec.get<NeighbourSection>();
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p)
    for (std::int64_t n = 0; n < neighbours.of(p).nodes; ++n)
      add_alone(p + 1, machine.neighbour_node(p, static_cast<std::size_t>(n)));
  monitor.on_emission_done([this](NodeId node, Time end) { kernels_[index(node)]->emission_done(end); });
  give_memory(spec);
  matchers_.resize(ranks_.size());
  awaiting_notice_.resize(ranks_.size());
}

Nx2::~Nx2() {
  if (smpi_messages_) watched_smpi_messages = nullptr;
}

NodeId Nx2::add_kernel(Monitor& monitor) {
  const NodeId node{static_cast<std::uint32_t>(kernels_.size())};
  const NodeClock clock = is_instrumented(node) ? machine_.clock(node) : NodeClock{};
  kernels_.push_back(std::make_unique<NodeKernel>(node, clock, monitor, volume_, catalogue_));
  return node;
}

void Nx2::add_rank(const Spec& spec, std::size_t program, sg4::Host* place) {
  const auto number = static_cast<int>(ranks_.size());
  if (sizes_.size() <= program) sizes_.push_back(0);
  RankState state;
  state.rank = number;
  state.program = program;
  state.first = number - sizes_[program]++;
  state.kernel = kernels_.back().get();
  if (!ranks_.empty() && ranks_.back().kernel == state.kernel) state.of_kernel = ranks_.back().of_kernel + 1;
  state.instrumented = is_instrumented(state.kernel->node());
  state.shares_kernel = state.instrumented && ranks_per_node_ > 1;
  state.calls = Standstill(spec.get<LimitsParams>().steps_at_once);
  ranks_.push_back(state);
  places_.push_back(place);
}

void Nx2::start() {
  if (processors_.is_any_shared()) watch_sleeps();
  if (models_messages_)
    machine_.watch_transfers([this](const Machine::Transfer& t) { transfer_begins(t); },
                             [this](const Machine::Transfer& t) { transfer_ends(t); });
  else
    watch_smpi();
  if (!models_messages_ && !records_) return; // nobody sees ticks, and SimGrid's times keep smpirun's bits without them
  looks_for_deadlocks_ = true;
  for (int n = 0; n < nodes_; ++n) {
    NodeKernel& kernel = *kernels_[static_cast<std::size_t>(n)];
    auto actor = sg4::Actor::init("tick" + std::to_string(n), machine_.node(kernel.node()));
    actor->daemonize();
    actor->start([this, &kernel] { tick_forever(kernel); });
  }
}

void Nx2::run_idle(Time end) {
  ranks_.clear();
  sizes_.front() = 0;
  for (auto& k : kernels_) k->record(records_);
  sg4::Actor::init("idle", place_of(0))->start([this, end] {
    actor_sleeps_until(end.seconds());
    program_has_ended();
  });
}

void Nx2::use(PacketNetwork* network, ParallelFileSystem* files, std::function<bool()> under_way) {
  packet_network_ = network;
  file_system_ = files;
  under_way_ = std::move(under_way);
}

void Nx2::watch_for_deadlock() {
  if (std::exchange(looks_for_deadlocks_, true)) return;
  auto actor = sg4::Actor::init("watch for deadlocks", place_of(0));
  actor->daemonize();
  actor->start([this] {
    for (;;) {
      actor_sleeps_for(tick_.seconds());
      check_for_deadlock();
    }
  });
}

void Nx2::watch_smpi() {
  const auto begins = [this] { ++sleeping_ranks_, ++progress_; };
  const auto ends = [this] { --sleeping_ranks_, ++progress_; };
  // SMPI's own costs are sleeps, smpi_execute() is an execution.
  sg4::Actor::on_sleep_cb([begins](const sg4::Actor& actor) {
    if (!actor.is_daemon()) begins();
  });
  sg4::Actor::on_wake_up_cb([ends](const sg4::Actor& actor) {
    if (!actor.is_daemon()) ends();
  });
  sg4::Exec::on_start_cb([begins](const auto&) { begins(); });
  sg4::Exec::on_completion_cb([ends](const sg4::Activity& activity) { // of any activity: a monitor's transfers, too
    if (dynamic_cast<const sg4::Exec*>(&activity) != nullptr) ends();
  });
  simgrid_compat::on_transfer_end([this](double size, double start, const auto* activity) {
    if (machine_.is_own(activity)) return; // a monitor's, which wakes no rank
    ++progress_;
    if (smpi_messages_) [[unlikely]]
      smpi_messages_->transfer_ended(activity, start, size);
  });
  sg4::Engine::on_deadlock_cb([this] { fail_deadlocked(); });
}

void Nx2::register_rank(int rank) {
  const auto pid = static_cast<std::size_t>(sg4::this_actor::get_pid());
  if (rank_of_pid_.size() <= pid) rank_of_pid_.resize(pid + 1);
  rank_of_pid_[pid] = &ranks_[static_cast<std::size_t>(rank)];
  join_processors(*rank_of_pid_[pid]);
}

RankState* Nx2::caller() { return rank_of(static_cast<std::size_t>(sg4::this_actor::get_pid())); }

void Nx2::fail_beyond_reach() const {
  fail_simulation("simulated time would pass 9 million seconds, the farthest that dates in picoseconds reach" +
                  doing());
}

void Nx2::sleep_until(Time t) {
  if (t <= now()) return;
  ++sleeping_ranks_;
  ++progress_;
  actor_sleeps_until(t.seconds());
  --sleeping_ranks_;
}

void Nx2::sleep_for(double seconds) {
  check_reach(seconds);
  ++sleeping_ranks_;
  ++progress_;
  actor_sleeps_for(seconds);
  --sleeping_ranks_;
}

void Nx2::begin(RankState& rank) {
  if (!io_observers_.empty() && !has_own_library_ && smpi_shows_messages()) keep_traffic(); // to tell of messages
  rank.initialized = true;
  if (rank.instrumented && models_messages_)
    sleep_until(now() + machine_.start_phase(rank.kernel->node()) * start_spread_);
  if (rank.program > 0) rank.begin = now();
  begin_measured(rank);
  kernel_work(rank,
              [&](NodeKernel& k) { k.emit(Point::process_start, {.process = static_cast<std::uint32_t>(rank.rank)}); });
}

void Nx2::end(RankState& rank) {
  kernel_work(rank, [&](NodeKernel& k) { k.emit(Point::process_end); });
  close_section(rank);
  if (rank.program > 0) rank.end = now();
  rank.finalized = true;
  // Every node's ticks are events until the whole program has ended.
  const bool all =
      std::all_of(ranks_.begin(), ranks_.end(), [](const RankState& r) { return r.finalized || !r.instrumented; });
  if (all && rank.program == 0) program_has_ended();
}

void Nx2::program_has_ended() {
  for (auto& k : kernels_) k->record(false);
  program_end_ = now();
  close_accounts();
  tell_that_it_ended();
}

void Nx2::tell_that_it_ended() {
  for (const auto& known : awaiting_end_) known->release();
  awaiting_end_.clear();
}

void Nx2::rank_ended(RankState& rank) {
  rank.ended = true;
  rank.ended_at = now();
  if (rank.task) processors_.sleep(rank.kernel->node(), *rank.task);
  const bool all =
      std::all_of(ranks_.begin(), ranks_.end(), [](const RankState& r) { return r.ended || r.program > 0; });
  if (all) tell_that_it_ended();
}

void Nx2::await_program_end() {
  if (program_end_ != Time::never()) return;
  const auto known = awaiting_end_.emplace_back(sg4::Semaphore::create(0));
  known->acquire();
}

void Nx2::interrupt(NodeId node, Time nominal) {
  interrupt(
      *kernels_[index(node)], now(), [nominal](NodeKernel& kernel) { kernel.spend(nominal); }, WorkOf::monitor);
}

void Nx2::work_in_kernel(NodeId node, Time nominal, BusyTime* account) {
  NodeKernel& k = *kernels_[index(node)];
  const auto work = [&](NodeKernel& kernel) {
    if (account == nullptr) return kernel.spend(nominal);
    account->forget(now());
    const auto begin = std::make_shared<Time>();
    kernel.then([begin](Time t) { *begin = t; });
    kernel.spend(nominal);
    kernel.then([begin, account](Time end) { account->busy(*begin, end); });
  };
  interrupt(k, now(), work, WorkOf::monitor);
  // Who waits here wakes no rank: it is not counted among those that sleep.
  const auto end = std::make_shared<Time>();
  const auto known = sg4::Semaphore::create(0);
  k.then([end, known](Time t) {
    *end = t;
    known->release();
  });
  known->acquire();
  if (*end > now()) actor_sleeps_until(end->seconds());
}

void Nx2::begin_measured(RankState& rank) const {
  if (rank.measured || !rank.instrumented) return;
  rank.measured = true;
  rank.begin = now();
  rank.kernel->then([&rank](Time) {
    rank.emission_before = rank.shares_kernel ? rank.own_emissions : rank.kernel->emission_time_until(rank.begin);
  });
  rank.kernel->record(records_);
}

void Nx2::end_measured(RankState& rank) const {
  close_section(rank);
  rank.kernel->record(records_ && std::any_of(ranks_.begin(), ranks_.end(), [&](const RankState& r) {
                        return r.kernel == rank.kernel && r.measured;
                      }));
}

void Nx2::close_section(RankState& rank) {
  if (!rank.measured) return;
  rank.measured = false;
  rank.end = now();
  // What was under way goes on without the rank.
  rank.kernel->then([&rank](Time) {
    const Time all = rank.shares_kernel ? rank.own_emissions : rank.kernel->emission_time_until(rank.end);
    rank.emission_time = all - rank.emission_before;
  });
}

void Nx2::compute(RankState& rank, Time nominal, WorkOf of) {
  const Time work = rank.kernel->clock().stretch(nominal);
  if (rank.measured) rank.compute_time += work;
  compute_stretched(rank, work, of);
}

void Nx2::compute_stretched(RankState& rank, Time work, WorkOf of) {
  rank.works_for = of == WorkOf::program && rank.in_mpi != nullptr ? WorkOf::system : of;
  rank.works_for_monitor = rank.owed;
  work += std::exchange(rank.owed, Time{});
  if (!memories_.empty() && memory_of(rank) != nullptr) [[unlikely]]
    return compute_paging(rank, work);
  compute_in_one(rank, work);
}

void Nx2::compute_in_one(RankState& rank, Time work) {
  if (rank.task) return take(rank, work);
  const NodeKernel& kernel = *rank.kernel;
  Time taken;
  Time end;
  await(*rank.kernel, [&](Time free_at) {
    taken = kernel.stolen();
    end = std::max(now(), free_at) + work;
  });
  const Time begin = end - work;
  begin_computing(rank, begin);
  end = outlast_interrupts(rank, end, taken);
  tell_work(rank, begin, end, work);
  end_computing(rank, work);
}

void Nx2::begin_computing(RankState& rank, Time begin) {
  rank.computes_since = begin;
  if (const KernelAccount* account = rank.kernel->account()) rank.kernel_before = account->total();
}

void Nx2::end_computing(RankState& rank, Time work) {
  rank.computes_since = Time::never();
  rank.computed += work;
}

const Cpu* Nx2::shared_cpu(NodeId node) const { return processors_.is_shared(node) ? &processors_.cpu(node) : nullptr; }

Time Nx2::computed(const RankState& rank, Time now) const {
  if (rank.task) return shared_cpu(rank.kernel->node())->used(*rank.task);
  if (now <= rank.computes_since) return rank.computed;
  const Time kernel = rank.kernel->system_time(now) + rank.kernel->emitting_time(now) - rank.kernel_before;
  return rank.computed + (now - rank.computes_since) - kernel;
}

void Nx2::keep_traffic() {
  if (traffic_) return;
  std::vector<const sg4::Host*> places;
  for (const RankState& rank : ranks_) places.push_back(place_of(rank.rank));
  traffic_ = std::make_unique<Traffic>(places);
  if (models_messages_)
    traffic_->under_way([this](const Traffic::Moved& f) {
      machine_.for_transfers_under_way(
          [&f](const Machine::Transfer& transfer, double moved) { f(transfer.from, transfer.to, moved); });
    });
  if (has_own_library_) return;
  const auto rank_of_actor = [this](aid_t pid) -> std::optional<int> {
    const RankState* rank = rank_of(static_cast<std::size_t>(pid));
    return rank == nullptr ? std::nullopt : std::optional(rank->rank);
  };
  const auto call_of = [this](int rank) {
    const RankState& sender = ranks_[static_cast<std::size_t>(rank)];
    MessageStep step;
    step.cause = OperationId::of_call(sender.rank, sender.call_number);
    step.algorithm = sender.in_mpi != nullptr ? sender.in_mpi : "smpi";
    return step;
  };
  smpi_messages_ = std::make_unique<SmpiMessages>(*traffic_, places, rank_of_actor, io_observers_, call_of);
  watched_smpi_messages = smpi_messages_.get();
  traffic_->under_way([this](const Traffic::Moved& f) { smpi_messages_->for_transfers_under_way(f); });
}

Nx2::Queues Nx2::queues(int rank) const {
  if (queues_) return queues_(rank);
  if (smpi_messages_)
    return {smpi_messages_->posted(rank), smpi_messages_->unexpected(rank), smpi_messages_->buffered_bytes(rank)};
  const Matcher& own = matcher(rank);
  return {own.posted(), own.unexpected(), own.buffered_bytes()};
}

void Nx2::execute(RankState& rank, double flops) {
  if (!machine_.has_speeds())
    fail_simulation("the program computes in flops, and the machine's nodes have no speed: SimGrid's XML platforms do"
                    " (or hypermon import ti --flops-per-s)");
  const double seconds = flops / place_of(rank.rank)->get_speed();
  check_reach(seconds);
  pay(rank);
  for (MpiObserver* observer : mpi_observers(rank)) observer->compute(rank, Time::from_seconds_rounded(seconds));
  rank.works_for = rank.in_mpi != nullptr ? WorkOf::system : WorkOf::program;
  if (rank.task) {
    const Time work = Time::from_seconds_rounded(seconds);
    if (rank.measured) rank.compute_time += work;
    take(rank, work);
    if (memory_of(rank) != nullptr) await_pages(rank, work);
    return;
  }
  const Time begin = now();
  Time taken;
  Time free;
  await(*rank.kernel, [&](Time free_at) {
    taken = rank.kernel->stolen();
    free = free_at;
  });
  sleep_until(free);
  begin_computing(rank, now());
  sg4::this_actor::execute(flops);
  const Time took = now() - std::max(begin, free);
  if (rank.measured) rank.compute_time += took;
  const Time end = outlast_interrupts(rank, now(), taken);
  tell_work(rank, std::max(begin, free), end, took);
  end_computing(rank, took);
  if (memory_of(rank) != nullptr) await_pages(rank, took);
}

Time Nx2::outlast_interrupts(RankState& rank, Time end, Time taken) {
  const NodeKernel& kernel = *rank.kernel;
  for (;;) {
    sleep_until(end);
    Time stolen; // by all interrupts that came before `end`, held ones included
    await(*rank.kernel, [&](Time) { stolen = kernel.stolen(); });
    if (stolen == taken) return end;
    end += stolen - taken;
    taken = stolen;
  }
}

void Nx2::executed(const RankState& rank, Time begin) {
  if (activity_ != nullptr) activity_->executed(rank, begin, now());
}

void Nx2::tell_work(RankState& rank, Time begin, Time end, Time work) {
  if (activity_ != nullptr) [[unlikely]]
    activity_->worked(rank, begin, end, work);
}

void Nx2::tell_begin(RankState& rank) {
  rank.kernel->then([this, &rank](Time begin) { activity_->kernel_begins(rank, begin); });
}

void Nx2::tell_end(RankState& rank, WorkOf of) {
  rank.kernel->then([this, &rank, of](Time end) { activity_->kernel_ends(rank, end, of); });
}

bool Nx2::counts(RankState& rank, Time nominal) const {
  ++rank.charges;
  rank.charged += nominal;
  return !ignores_charges_;
}

void Nx2::charge(RankState& rank, Time nominal) {
  if (counts(rank, nominal)) compute_observed(rank, nominal);
}

void Nx2::compute_observed(RankState& rank, Time nominal) {
  for (MpiObserver* observer : mpi_observers(rank)) observer->compute(rank, nominal);
  compute(rank, nominal);
}

// Ticks
// -----------------------------------------------------------------------------------------------------------------

void Nx2::tick_forever(NodeKernel& kernel) {
  const Time period = kernel.clock().stretch(tick_);
  const double phase = machine_.tick_phase(kernel.node());
  Time next = Time::from_ps(static_cast<std::int64_t>(phase * static_cast<double>(period.ps())));
  std::uint32_t count = 0;
  for (;; next += period) {
    actor_sleeps_until(next.seconds());
    interrupt(kernel, next, [&](NodeKernel& k) { k.emit(Point::tick, {.left = count++, .entered = index(k.node())}); });
    if (index(kernel.node()) == 0) check_for_deadlock();
  }
}

} // namespace hypermon
