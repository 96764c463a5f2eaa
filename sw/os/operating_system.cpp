// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/operating_system.hpp"
#include "base/limits_params.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/neighbour_params.hpp"

namespace hypermon {

OperatingSystem::OperatingSystem(const Spec& spec, Machine& machine, Processors& processors, Monitor& monitor,
                                 bool with_host)
    : models_messages(spec.get<MachineParams>().messages == Messages::nx2),
      has_own_library(spec.get<MachineParams>().messages != Messages::smpi),
      kernels(spec, machine, processors, monitor), memories(spec),
      execution(spec, {machine, processors, kernels, ranks, memories, wake_ups}),
      program(spec, {machine, kernels, ranks, execution, models_messages}),
      deadlocks(machine, ranks, wake_ups, !models_messages) {
  const auto ranks_per_node = spec.get<CpuParams>().ranks_per_node;
  const auto add_rank = [&](std::size_t of_program, simgrid::s4u::Host* place, NodeKernel& kernel) {
    RankState& rank = ranks.add(of_program, place, kernel);
    rank.instrumented = kernels.is_instrumented(kernel.node());
    rank.own_emissions.are_counted = rank.instrumented && ranks_per_node > 1;
    rank.call.standstill = Standstill(spec.get<LimitsParams>().steps_at_once);
  };
  for (int n = 0; n < kernels.nodes(); ++n) {
    NodeKernel& kernel = kernels.add(monitor);
    for (std::int64_t r = 0; r < ranks_per_node; ++r) add_rank(0, machine.node(kernel.node()), kernel);
  }
  if (with_host) add_rank(0, machine.host(), kernels.add(monitor));
  const auto& neighbours = spec.get<NeighbourSection>();
  for (std::size_t p = 0; p < static_cast<std::size_t>(neighbours.count); ++p)
    for (std::int64_t n = 0; n < neighbours.instance(p).nodes; ++n)
      add_rank(p + 1, machine.neighbour_node(p, static_cast<std::size_t>(n)), kernels.add(monitor));
  the_operating_system = this;
  the_rank_table = &ranks;
  the_execution = &execution;
  the_program_run = &program;
}

OperatingSystem::~OperatingSystem() {
  the_operating_system = nullptr;
  the_rank_table = nullptr;
  the_execution = nullptr;
  the_program_run = nullptr;
}

void OperatingSystem::start() {
  execution.start();
  if (!models_messages) deadlocks.watch_smpi();
  if (!models_messages && !kernels.records())
    return; // nothing observes ticks; without them SimGrid's times equal smpirun's to the last bit
  deadlocks.is_watched();
  kernels.start_ticks([this] { deadlocks.check(); });
}

} // namespace hypermon
