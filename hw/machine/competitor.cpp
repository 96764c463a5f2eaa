// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/competitor.hpp"

namespace hypermon {
namespace {

void work_and_sleep(Cpu& cpu, TaskId task, const CompetitorDesign& design, Time now) {
  cpu.run(task, now, design.busy, [&cpu, task, design](Time done) {
    const Time again = done + design.sleep;
    if (again < design.end) cpu.at(again, [&cpu, task, design](Time t) { work_and_sleep(cpu, task, design, t); });
  });
}

} // namespace

TaskId add_competitor(Cpu& cpu, const CompetitorDesign& design) {
  const TaskId task = cpu.add(design.task);
  cpu.at(design.begin, [&cpu, task, design](Time now) {
    if (design.sleep > Time{})
      work_and_sleep(cpu, task, design, now);
    else
      cpu.poll(task, now);
  });
  if (design.end != Time::never()) cpu.at(design.end, [&cpu, task](Time now) { cpu.stop(task, now); });
  return task;
}

} // namespace hypermon
