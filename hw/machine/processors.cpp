// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/processors.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/machine/competitors.hpp"
#include "hw/machine/cpu_params.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Semaphore.hpp>

#include <algorithm>
#include <stdexcept>

namespace hypermon {
namespace sg4 = simgrid::s4u;

namespace {

CpuDesign design_of(const CpuParams& params) {
  return {params.policy, static_cast<std::size_t>(params.processors), params.quantum_ms, params.context_switch_us};
}

} // namespace

struct Processors::Node {
  Cpu cpu;
  std::size_t waiting = 0; // actors that wait for the end of their work
  std::size_t woken = 0;   // actors that have not yet made their next request
  simgrid::kernel::timer::Timer* timer = nullptr;
  Time armed{};
};

Processors::Processors(const Spec& spec)
    : design_(design_of(spec.get<CpuParams>())), nodes_(static_cast<std::size_t>(spec.nodes)) {
  for (std::int64_t r = 0; r < spec.get<CpuParams>().ranks_per_node; ++r)
    of_ranks_.push_back(rank_processors(spec, static_cast<std::size_t>(r)));
  if (ranks_share_processors(spec))
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) share(NodeId{n});
  for (const CompetitorKind& kind : competitor_kinds(spec))
    for (const std::uint32_t n : kind.nodes) {
      share(NodeId{n});
      for (const CompetitorDesign& thread : kind.threads) add_competitor(nodes_[n]->cpu, thread);
    }
}

Processors::~Processors() = default;

void Processors::share(NodeId node) {
  if (!nodes_[index(node)]) nodes_[index(node)] = std::make_unique<Node>(Node{Cpu(design_)});
}

TaskId Processors::add(NodeId node, const TaskDesign& task) {
  share(node);
  return at(node).cpu.add(task);
}

bool Processors::is_any_shared() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) { return node != nullptr; });
}

/// SimGrid's time in picoseconds, but never before the node's last instant, as SimGrid's doubles may be coarser.
Time Processors::now(const Node& node) const { return std::max(node.cpu.now(), simgrid_now()); }

void Processors::compute(NodeId id, TaskId task, Time nominal) {
  Node& node = at(id);
  node.cpu.pass(now(node));
  if (nominal == Time{} && node.cpu.is_running(task)) return; // it would be finished before any other decision
  const auto known = sg4::Semaphore::create(0);
  const auto done = std::make_shared<bool>(false);
  const struct End { // handles the end of the work, possibly because the actor is killed
    Processors& all;
    Node& node;
    TaskId task;
    const bool& done;
    ~End() {
      --(done ? node.woken : node.waiting);
      if (!done) node.cpu.stop(task, all.now(node));
      all.arm(node);
    }
  } end{*this, node, task, *done};
  node.cpu.run(task, now(node), nominal, [&node, known, done](Time) {
    *done = true;
    --node.waiting;
    ++node.woken;
    known->release();
  });
  ++node.waiting;
  arm(node);
  known->acquire();
}

void Processors::poll(NodeId id, TaskId task) {
  Node& node = at(id);
  node.cpu.poll(task, now(node));
  arm(node);
}

void Processors::sleep(NodeId id, TaskId task) {
  Node& node = at(id);
  node.cpu.stop(task, now(node));
  arm(node);
}

void Processors::keep(NodeId id, std::optional<TaskId> task, Time end) {
  Node& node = at(id);
  node.cpu.pass(now(node));
  const auto where = task ? node.cpu.processor_of(*task) : std::nullopt;
  node.cpu.keep(where.value_or(0), now(node), end);
  arm(node);
}

Cpu& Processors::cpu_of(NodeId id) { return at(id).cpu; }

const Cpu& Processors::cpu(NodeId id) {
  Node& node = at(id);
  node.cpu.pass(now(node));
  return node.cpu;
}

/// A woken actor continues at this time and makes its next request; no decision is made before that.
void Processors::arm(Node& node) {
  const Time date = node.waiting > 0 && node.woken == 0 ? node.cpu.next() : Time::never();
  if (node.timer != nullptr && node.armed == date) return;
  if (node.timer != nullptr) node.timer->remove();
  node.timer = nullptr;
  if (date == Time::never()) return;
  node.armed = date;
  node.timer = set_timer(date, [this, &node] {
    node.timer = nullptr;
    node.cpu.advance(std::max(node.armed, now(node)));
    arm(node);
  });
}

} // namespace hypermon
