// SPDX-License-Identifier: BSD-3-Clause
// Time of the user program's own code (program.compute): its charges, a calibration, or nothing.
#pragma once
#include "base/spec.hpp"
#include "sw/os/operating_system.hpp"
#include "sw/workloads/program/compute_regions.hpp"
#include "sw/workloads/workload_kind.hpp"

#include <optional>

namespace hypermon {

class ProgramCompute final : public WorkloadObserver {
public:
  explicit ProgramCompute(const WorkloadSetting& setting);
  /// Adds `program` to the result. If the program was measured, writes calibration.json.
  void report(Results& results) const override;

private:
  const Spec& spec_;
  const std::string& directory_;
  const OperatingSystem& os_;
  std::optional<ChargedRegions> charged_;
  std::optional<MeasuredRegions> measured_;
};

} // namespace hypermon
