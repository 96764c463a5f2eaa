// What the user's program's own code takes (program.compute): what it charges, what a calibration says, or nothing.
#pragma once
#include "platforms/worker/compute_regions.hpp"
#include "platforms/worker/simulation.hpp"
#include "sw/nx2/nx2.hpp"

#include <memory>
#include <optional>

namespace hypermon {

class ProgramCompute {
public:
  /// Before the ranks start. Other workloads than `program` charge, and that is all.
  ProgramCompute(const Spec& spec, const RunOptions& options, Nx2& os);
  /// Adds `program` to the result of such a run; with options.calibrate, writes calibration.json.
  void report(nlohmann::ordered_json& result) const;

private:
  const Spec& spec_;
  const RunOptions& options_;
  const Nx2& os_;
  std::optional<ChargedRegions> charged_;
  std::optional<MeasuredRegions> measured_;
};

} // namespace hypermon
