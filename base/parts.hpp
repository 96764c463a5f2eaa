// SPDX-License-Identifier: BSD-3-Clause
// The parts from which specifications are composed. Every part of the simulator (platform, monitor, workload) provides
// its sections of parameters, the conditions between them, and the result keys of its runs. CMake generates the list of
// all parts from the folders (cmake/parts.cmake).
#pragma once
#include "base/counter.hpp"
#include "base/result_keys.hpp"
#include "base/section.hpp"
#include "base/time.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

/// The shortest time between two samples of a counter, and the parameter that sets it.
struct SamplingInterval {
  std::string parameter;
  Time length;
};

/// Properties of a monitor that are known before it is constructed.
struct MonitorTraits {
  struct Place {
    std::string stage;
    std::string cause;
    std::string remark{}; ///< additional information that the other members lack
  };
  std::string ledger_unit;     ///< the unit of its ledger besides whole events
  std::vector<Place> losses{}; ///< places where it can lose data: every entry of a ledger's `lost` is one of these
  bool records = false;        ///< whether the nodes' writes can be recorded (--record) and replayed
  bool has_waves = false;      ///< true if its hardware has waveforms (--waves)
  bool takes_streams = false;  ///< true if it accepts events from a file, without a program
  bool takes_samples = false;  ///< true if it samples counters into the site's log, for --watch
  /// Null, or an empty result: the monitor does not sample at intervals.
  std::optional<SamplingInterval> (*sampling_interval)(const Spec&) = nullptr;
  /// True if the monitor changes the nodes' behaviour, so that a recording does not describe them. Null: never.
  bool (*applies_back_pressure)(const Spec&) = nullptr;
  std::string description{}; ///< description in the parameter `monitor`: "Supermon's tree of daemons"
};

/// Properties of a workload, apart from its program.
struct WorkloadTraits {
  std::string description; ///< description in the parameter `workload`; empty for a program that comes with hypermon
  bool is_stream = false;  ///< events from a file go straight to the monitor, without a program
};

/// Parameters that have no effect in a run, and the value of another parameter that causes this.
struct WithoutEffect {
  std::vector<std::string> paths; ///< a section's name with a dot means all its other parameters
  std::string because;            ///< "machine.messages = packets"
};

struct Part {
  enum class Kind { platform, monitor, workload };
  Kind kind = Kind::platform;
  std::string name{}; ///< name of a monitor or workload: its value in the parameter `monitor` or `workload`
  std::vector<SectionKind> sections{};
  /// Throws UserError for values that are allowed individually but not together. Called in every run.
  void (*check)(const Spec&) = nullptr;
  /// Parameters of the part that have no effect in this run. Null: every parameter may have an effect.
  std::vector<WithoutEffect> (*without_effect)(const Spec&) = nullptr;
  /// Counters that the part keeps while it runs, if they are requested (counters.hpp).
  std::vector<std::span<const CounterInfo>> counters{};
  ResultKeys results{};    ///< keys_of() the structs of the part's result keys
  bool is_default = false; ///< the monitor or workload that runs if none is named
  MonitorTraits monitor{};
  WorkloadTraits workload{};
};

/// All parts, in the order in which their parameters are shown.
const std::vector<Part>& parts();
/// Adds a part that is not built in, after the others. Must precede the first call of parts(). Throws UserError if a
/// part or a section of the same name exists.
void add_part(Part part);

/// The part that the specification's `monitor` or `workload` names.
const Part& monitor_of(const Spec& spec);
const Part& workload_of(const Spec& spec);
/// The parameters without effect of all parts.
std::vector<WithoutEffect> without_effect(const Spec& spec);
/// Lists the monitors with a property, as "a" or "a or b"; "no monitor" if there is none.
std::string monitors_that(bool MonitorTraits::*are);

/// Paths of parameters begin with the name of their section.
std::string_view section_of(std::string_view path);
/// Finds the section with that name and its part; null if there is none.
struct Found {
  const Part* part;
  const SectionKind* section;
};
Found find_section(std::string_view name);

} // namespace hypermon
