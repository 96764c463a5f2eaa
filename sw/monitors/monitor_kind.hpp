// SPDX-License-Identifier: BSD-3-Clause
// How a monitor comes into a run. What is said of it before is in its Part (base/parts.hpp); the programs that
// simulate have these as well, the Python module has not.
#pragma once
#include "base/json_value.hpp"
#include "sw/monitors/cut.hpp"
#include "sw/monitors/monitor.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

class Bridge;  // hw/cosim/bridge.hpp
class Machine; // hw/machine/machine.hpp
class Spec;

/// Descriptors over which somebody outside drives the run: calls come in, a line each, answers go out.
struct Dialogue {
  int in;
  int out;
};

/// What is wanted of a run's monitor beside its result: the monitor's own, most know none of it.
struct MonitorOptions {
  /// For benchmarks: the same events are emitted and charged, but not handed to the hardware models.
  bool discard_at_port = false;
  bool record = false; ///< what the nodes wrote, into the folder `recording`
  bool events = false; ///< what became of events, of monitors that carry some, into events.npy (EventLog)
  Json waves;          ///< which ones are wanted as waves.vcd; null: none
  Cut cut;             ///< no result depends on it
  std::optional<Dialogue> dialogue{};
};

/// What a monitor is made from: the run, and the machine around it. References hold as long as the monitor lives.
struct MonitorSetting {
  const Spec& spec;
  const MonitorOptions& options;
  const std::string& directory; ///< of the run
  Machine& machine;
  Bridge& bridge;                    ///< to SystemC, where hardware models live
  std::function<Time()> program_end; ///< when the program has ended; never() while it runs
};

struct MonitorKind {
  std::string name; ///< its Part's
  /// During SystemC's elaboration, after the machine was built and before the program is loaded.
  std::unique_ptr<Monitor> (*make)(const MonitorSetting& setting);
  /// The nodes on whose links the monitor has an I/O node of its own, in order. Null: none.
  std::vector<NodeId> (*io_nodes)(const Spec& spec) = nullptr;
  bool takes_calls = false; ///< knows what to do with a Dialogue
  bool is_hardware = false; ///< has SystemC modules: SystemC follows SimGrid's clock
};

} // namespace hypermon
