// SPDX-License-Identifier: BSD-3-Clause
// How a run makes its monitor. The monitor's Part (base/parts.hpp) describes it to all programs; only the programs that
// simulate need this file, the Python module does not.
#pragma once
#include "base/json_value.hpp"
#include "sw/monitors/cut.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/monitors/rerun.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

class Bridge;  // hw/cosim/bridge.hpp
class Machine; // hw/machine/machine.hpp
class Spec;

/// File descriptors for a program outside that controls the run: one call per input line, one answer per output line.
struct Dialogue {
  int in;
  int out;
};

/// Options of a run's monitor besides its parameters. Most monitors use none of them.
struct MonitorOptions {
  /// For benchmarks: events are emitted and charged as usual, but not passed to the hardware models.
  bool discard_at_port = false;
  bool record = false; ///< record the nodes' output into the folder `recording`
  bool events = false; ///< write the fate of events to events.npy (EventLog), for monitors that carry events
  Json waves;          ///< waves to write to waves.vcd; null if there are none
  Cut cut;             ///< division of the work, on which no result depends
  std::optional<Dialogue> dialogue{};
};

/// The run and the machine for which a monitor is made. The references are valid during the monitor's lifetime.
struct MonitorSetting {
  const Spec& spec;
  const MonitorOptions& options;
  const std::string& directory; ///< folder of the run
  Machine& machine;
  Bridge& bridge;                    ///< access to SystemC and its hardware models
  std::function<Time()> program_end; ///< end of the program; never() while it runs
};

struct MonitorKind {
  std::string name; ///< name of its Part
  /// Called during SystemC's elaboration, after the machine was built and before the program is loaded.
  std::unique_ptr<Monitor> (*make)(const MonitorSetting& setting);
  /// The nodes on whose links the monitor has an I/O node of its own, in order. Null: none.
  std::vector<NodeId> (*io_nodes)(const Spec& spec) = nullptr;
  /// Makes a replay whose hardware needs SystemC, during its elaboration. `directory`: for its files. `waves`: as in
  /// MonitorOptions. Null: there is none.
  std::unique_ptr<Rerun> (*make_rerun)(const Spec& spec, const std::string& directory, const Json& waves) = nullptr;
  bool takes_calls = false; ///< can use a Dialogue
  bool is_hardware = false; ///< has SystemC modules: SystemC follows SimGrid's clock
};

} // namespace hypermon
