// SPDX-License-Identifier: BSD-3-Clause
// What the user's program's own code takes (program.compute): what it charges, what a calibration says, or nothing.
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
  /// Adds `program` to the result; if it was measured, writes calibration.json.
  void report(Results& results) const override;

private:
  const Spec& spec_;
  const std::string& directory_;
  const OperatingSystem& os_;
  std::optional<ChargedRegions> charged_;
  std::optional<MeasuredRegions> measured_;
};

} // namespace hypermon
