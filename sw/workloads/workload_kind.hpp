// SPDX-License-Identifier: BSD-3-Clause
// What the simulator does for a workload, beside running its program on every rank. What is said of it is in its Part
// (base/parts.hpp); most workloads need no more than that.
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

/// Looks at a run, for what its result says of the workload.
class WorkloadObserver {
public:
  virtual ~WorkloadObserver() = default;
  /// After the run.
  virtual void report(Results& results) const = 0;
};

/// References hold as long as the observer lives.
struct WorkloadSetting {
  const Spec& spec;
  const std::string& directory; ///< of the run
  bool calibrate;               ///< measures the program's own code on the host, into calibration.json
  OperatingSystem& os;
  std::function<const LoadedObject&(int rank)> object_of; ///< the rank's copy of the program
};

struct WorkloadKind {
  std::string name; ///< its Part's
  /// No program runs: the nodes idle until then. Null: one does, and what follows is said of it.
  Time (*idle_until)(const Spec& spec) = nullptr;
  /// The program's shared object. Null: the one that was built with us.
  std::string (*object)(const Spec& spec) = nullptr;
  /// Of main(). Null: the workload's parameters, "--size=256", the seed, and where the answer goes.
  std::vector<std::string> (*arguments)(const Spec& spec) = nullptr;
  /// Is there a rank more than nodes, which runs on the machine's host? Null: there is not.
  bool (*has_host)(const Spec& spec) = nullptr;
  /// A rank's stack. Null: SimGrid's default.
  std::int64_t (*stack_bytes)(const Spec& spec) = nullptr;
  /// The file that rank 0 reads from standard input; empty: none. Null: none.
  std::string (*input)(const Spec& spec) = nullptr;
  /// Before the ranks are loaded: makes this process what the program shall find around it. Null: as it is.
  void (*enter)(const Spec& spec, const std::string& directory) = nullptr;
  /// Before the ranks start. Null: nobody looks, and nothing can be calibrated.
  std::unique_ptr<WorkloadObserver> (*observe)(const WorkloadSetting& setting) = nullptr;
};

} // namespace hypermon
