#include "platforms/machine/processors.hpp"
#include "platforms/machine/cpu_params.hpp"
#include "platforms/machine/index_list.hpp"
#include "sw/model/competitor.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <stdexcept>

namespace hypermon {
namespace sg4 = simgrid::s4u;

namespace {

CpuDesign design_of(const CpuParams& params) {
  return {params.policy, static_cast<std::size_t>(params.processors), params.quantum_ms, params.context_switch_us};
}

CompetitorDesign design_of(const CompetitorsParams& params) {
  CompetitorDesign design;
  design.task = {.name = "competitor", .priority = static_cast<int>(params.priority), .weight = params.weight};
  design.begin = params.begin_s;
  if (params.end_s > 0) design.end = params.end_s;
  design.busy = params.busy_ms;
  design.sleep = params.sleep_ms;
  return design;
}

} // namespace

struct Processors::Node {
  Cpu cpu;
  std::size_t waiting = 0; // actors, for the end of their work
  std::size_t woken = 0;   // that have not said yet what they want next
  simgrid::kernel::timer::Timer* timer = nullptr;
  Time armed{};
};

Processors::Processors(const Spec& spec)
    : design_(design_of(spec.get<CpuParams>())), nodes_(static_cast<std::size_t>(spec.nodes)) {
  const CpuParams& cpu = spec.get<CpuParams>();
  if (cpu.ranks_per_node > cpu.processors)
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) share(NodeId{n});
  const CompetitorsParams& params = spec.get<CompetitorsParams>();
  if (params.nodes.empty()) return;
  const auto nodes =
      index_list("competitors.nodes", params.nodes == "all" ? "0-" + std::to_string(spec.nodes - 1) : params.nodes,
                 spec.nodes, "");
  const auto bound = params.processors.empty()
                         ? std::vector<std::uint32_t>{}
                         : index_list("competitors.processors", params.processors, cpu.processors, "");
  CompetitorDesign competitor = design_of(params);
  for (const std::uint32_t n : nodes) {
    share(NodeId{n});
    for (std::size_t i = 0; i < static_cast<std::size_t>(params.threads); ++i) {
      if (!bound.empty()) competitor.task.processor = bound[i % bound.size()];
      add_competitor(nodes_[n]->cpu, competitor);
    }
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

/// SimGrid's date in picoseconds; where its doubles are coarser than these, never before the node's last instant.
Time Processors::now(const Node& node) const {
  return std::max(node.cpu.now(), Time::from_seconds_rounded(sg4::Engine::get_clock()));
}

void Processors::compute(NodeId id, TaskId task, Time nominal) {
  Node& node = at(id);
  node.cpu.pass(now(node));
  if (nominal == Time{} && node.cpu.is_running(task)) return; // it would be done before anything else is decided
  const auto known = sg4::Semaphore::create(0);
  const auto done = std::make_shared<bool>(false);
  const struct End { // which may be that of the actor
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

const Cpu& Processors::cpu(NodeId id) {
  Node& node = at(id);
  node.cpu.pass(now(node));
  return node.cpu;
}

/// A woken actor goes on at this date, and asks for what it wants: until then nothing is decided.
void Processors::arm(Node& node) {
  const Time date = node.waiting > 0 && node.woken == 0 ? node.cpu.next() : Time::never();
  if (node.timer != nullptr && node.armed == date) return;
  if (node.timer != nullptr) node.timer->remove();
  node.timer = nullptr;
  if (date == Time::never()) return;
  node.armed = date;
  // A timer below the clock's date asserts in SimGrid.
  node.timer = simgrid::kernel::timer::Timer::set(std::max(date.seconds(), sg4::Engine::get_clock()), [this, &node] {
    node.timer = nullptr;
    node.cpu.advance(std::max(node.armed, now(node)));
    arm(node);
  });
}

} // namespace hypermon
