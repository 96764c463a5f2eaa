// SPDX-License-Identifier: BSD-3-Clause
// The simulator's part of a workload, besides running its program on every rank. The workload's Part (base/parts.hpp)
// describes it; most workloads need nothing else.
#pragma once
#include "base/results.hpp"
#include "base/time.hpp"
#include "sw/workloads/loaded_object.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hypermon {

struct OperatingSystem; // sw/os/operating_system.hpp
class Spec;

/// Observes a run, for the workload's keys of the result.
class WorkloadObserver {
public:
  virtual ~WorkloadObserver() = default;
  /// Called after the run.
  virtual void report(Results& results) const = 0;
};

/// References are valid during the observer's lifetime.
struct WorkloadSetting {
  const Spec& spec;
  const std::string& directory; ///< folder of the run
  bool calibrate;               ///< measure the program's own code on the host, into calibration.json
  OperatingSystem& os;
  std::function<const LoadedObject&(int rank)> object_of; ///< the rank's copy of the program
};

struct WorkloadKind {
  std::string name; ///< name of its Part
  /// For a workload without a program: end of the time in which the nodes idle. Null: a program runs, and the following
  /// members describe it.
  Time (*idle_until)(const Spec& spec) = nullptr;
  /// The program's shared object. Null: the one that was built with hypermon.
  std::string (*object)(const Spec& spec) = nullptr;
  /// Arguments of main(). Null: the workload's parameters in the form "--size=256", the seed, and the path of the
  /// answer file.
  std::vector<std::string> (*arguments)(const Spec& spec) = nullptr;
  /// True if there is an additional rank on the machine's host. Null: there is none.
  bool (*has_host)(const Spec& spec) = nullptr;
  /// Size of a rank's stack. Null: SimGrid's default.
  std::int64_t (*stack_bytes)(const Spec& spec) = nullptr;
  /// File that rank 0 reads from standard input; empty: none. Null: none.
  std::string (*input)(const Spec& spec) = nullptr;
  /// Called before the ranks are loaded: prepares this process's environment for the program. Null: unchanged.
  void (*enter)(const Spec& spec, const std::string& directory) = nullptr;
  /// Called before the ranks start. Null: there is no observer, and the workload cannot be calibrated.
  std::unique_ptr<WorkloadObserver> (*observe)(const WorkloadSetting& setting) = nullptr;
};

} // namespace hypermon
