// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/registry.hpp"
#include "base/spec.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon {

std::vector<MonitorKind> built_in_monitors(); // by CMake: cmake/parts.cmake
std::vector<WorkloadKind> built_in_workloads();

namespace {

std::vector<MonitorKind>& monitors() {
  static std::vector<MonitorKind> all = built_in_monitors();
  return all;
}

} // namespace

const MonitorKind& monitor_kind(const Spec& spec) {
  const auto found = std::ranges::find(monitors(), spec.monitor, &MonitorKind::name);
  if (found == monitors().end()) throw std::logic_error("internal error: nobody makes the monitor " + spec.monitor);
  return *found;
}

const WorkloadKind& workload_kind(const Spec& spec) {
  static const std::vector<WorkloadKind> all = built_in_workloads();
  static const WorkloadKind plain;
  const auto found = std::ranges::find(all, spec.workload, &WorkloadKind::name);
  return found == all.end() ? plain : *found;
}

void add_monitor(MonitorKind kind) { monitors().push_back(std::move(kind)); }

} // namespace hypermon
