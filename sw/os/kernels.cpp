// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/kernels.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/cosim/sleep.hpp"
#include "hw/machine/params.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Semaphore.hpp>

#include <algorithm>
#include <string>

namespace hypermon {
namespace sg4 = simgrid::s4u;

Kernels::Kernels(const Spec& spec, Machine& machine, Processors& processors, Monitor& monitor)
    : machine_(machine), processors_(processors), nodes_(static_cast<int>(spec.nodes)), records_(monitor.records()),
      catalogue_(read_catalogue(spec.get<InstrumentationParams>().catalogue)),
      emits_mpi_(records_ && std::any_of(catalogue_.rows().begin(), catalogue_.rows().end(),
                                         [](const EventRow& row) { return row.point >= Point::mpi_0; })),
      tick_(spec.get<NodeParams>().tick_ms) {
  monitor.on_emission_done([this](NodeId node, Time end) { at(node).emission_done(end); });
}

NodeKernel& Kernels::add(Monitor& monitor) {
  const NodeId node{static_cast<std::uint32_t>(all_.size())};
  const NodeClock clock = is_instrumented(node) ? machine_.clock(node) : NodeClock{};
  return *all_.emplace_back(std::make_unique<NodeKernel>(node, clock, monitor, volume_, catalogue_));
}

void Kernels::record(bool on) {
  for (auto& kernel : all_) kernel->record(on && records_);
}

void Kernels::interrupt(NodeId node, Time nominal) {
  interrupt(
      at(node), simgrid_now(), [nominal](NodeKernel& kernel) { kernel.spend(nominal); }, WorkOf::monitor);
}

void Kernels::work(NodeId node, Time nominal, BusyTime* account) {
  NodeKernel& k = at(node);
  const auto work = [&](NodeKernel& kernel) {
    if (account == nullptr) return kernel.spend(nominal);
    account->forget(simgrid_now());
    const auto begin = std::make_shared<Time>();
    kernel.then([begin](Time t) { *begin = t; });
    kernel.spend(nominal);
    kernel.then([begin, account](Time end) { account->busy(*begin, end); });
  };
  interrupt(k, simgrid_now(), work, WorkOf::monitor);
  // The waiting actor wakes no rank, so it is not counted among the sleeping ones (WakeUps).
  const auto end = std::make_shared<Time>();
  const auto known = sg4::Semaphore::create(0);
  k.then([end, known](Time t) {
    *end = t;
    known->release();
  });
  known->acquire();
  if (*end > simgrid_now()) actor_sleeps_until(end->seconds());
}

void Kernels::keep_processor(NodeKernel& kernel, std::optional<TaskId> task) {
  const auto keep = [this, node = kernel.node(), task](Time end) { processors_.keep(node, task, end); };
  if (!kernel.settled()) keep(Time::never());
  kernel.then([keep, &kernel](Time end) { keep(kernel.settled() ? end : Time::never()); });
}

void Kernels::start_ticks(const std::function<void()>& after) {
  for (int n = 0; n < nodes_; ++n) {
    NodeKernel& kernel = *all_[static_cast<std::size_t>(n)];
    auto actor = sg4::Actor::init("tick" + std::to_string(n), machine_.node(kernel.node()));
    actor->daemonize();
    actor->start([this, &kernel, after] { tick_forever(kernel, after); });
  }
}

void Kernels::tick_forever(NodeKernel& kernel, const std::function<void()>& after) {
  const Time period = kernel.clock().stretch(tick_);
  const double phase = machine_.tick_phase(kernel.node());
  Time next = Time::from_ps(static_cast<std::int64_t>(phase * static_cast<double>(period.ps())));
  std::uint32_t count = 0;
  for (;; next += period) {
    actor_sleeps_until(next.seconds());
    interrupt(kernel, next, [&](NodeKernel& k) { k.emit(Point::tick, {.left = count++, .entered = index(k.node())}); });
    if (index(kernel.node()) == 0) after();
  }
}

} // namespace hypermon
