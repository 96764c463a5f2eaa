// One run from a resolved specification to its result.
#pragma once
#include "sw/model/spec.hpp"
#include "sw/monitors/hypermon/cut.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace hypermon {

struct RunOptions {
  std::string scenario;
  std::string directory; ///< for the program's answer and what the monitor writes
  bool progress = false; ///< JSON lines on stderr
  /// For benchmarks: the same events are emitted and charged, but not handed to the hardware models.
  bool discard_at_port = false;
  /// Measures the program's own code on the host, into calibration.json; it takes no simulated time.
  bool calibrate = false;
  bool record = false;          ///< what the nodes wrote to their ports, into the folder `recording`
  bool script = false;          ///< what the program did, into the folder `script`
  Cut cut;                      ///< no result depends on it
  nlohmann::ordered_json waves; ///< which ones are wanted (platforms/worker/run_waves.hpp) as waves.vcd; null: none
};

/// Runs the simulation: once per process. The result is the same for the same specification, byte for byte.
nlohmann::ordered_json simulate(const Spec& spec, const RunOptions& options);

/// Every key of the result with unit and description.
nlohmann::ordered_json describe_results();
/// Of hypermon and of what it is built on.
nlohmann::ordered_json versions();

} // namespace hypermon
