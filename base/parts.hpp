// SPDX-License-Identifier: BSD-3-Clause
// What a specification can be about. Every part of the simulator (platform, monitor, workload) brings its sections of
// parameters, what must hold between them, and what its runs' results say. CMake makes the list of all parts from the
// folders that are there (cmake/parts.cmake).
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

/// The shortest time between two samples of a counter, and the parameter that says so.
struct SamplingInterval {
  std::string parameter;
  Time length;
};

/// What is known of a monitor before one is made.
struct MonitorTraits {
  struct Place {
    std::string stage;
    std::string cause;
    std::string remark{}; ///< if these do not say all
  };
  std::string ledger_unit;     ///< what it counts, beside whole events
  std::vector<Place> losses{}; ///< where it can lose something: every entry of a ledger's `lost` is one of these
  bool records = false;        ///< what the nodes write can be recorded (--record), and the run be done again from that
  bool has_waves = false;      ///< of its hardware (--waves)
  bool takes_streams = false;  ///< events of a file, without a program
  bool takes_samples = false;  ///< of counters, into the site's log: they can be watched (--watch)
  /// Null, or nothing: it takes none at intervals.
  std::optional<SamplingInterval> (*sampling_interval)(const Spec&) = nullptr;
  /// What it does changes what the nodes do, so that a recording does not say what they would. Null: never.
  bool (*acts_back)(const Spec&) = nullptr;
  std::string description{}; ///< "Supermon's tree of daemons", for the parameter `monitor`
};

/// What is known of a workload, apart from its program.
struct WorkloadTraits {
  std::string description; ///< for the parameter `workload`; empty: a program that comes with hypermon
  bool is_stream = false;  ///< no program: events from a file go straight to the monitor
};

/// Parameters that have no effect in a run, and the value of another parameter that is the reason.
struct WithoutEffect {
  std::vector<std::string> paths; ///< a section's name with a dot stands for all others of the section
  std::string because;            ///< "machine.messages = packets"
};

struct Part {
  enum class Kind { platform, monitor, workload };
  Kind kind = Kind::platform;
  std::string name{}; ///< of a monitor or workload: what the parameter `monitor` or `workload` calls it
  std::vector<SectionKind> sections{};
  /// Values that are allowed each by itself, but not together: throws UserError. Called whatever runs.
  void (*check)(const Spec&) = nullptr;
  /// Parameters of the part that have no effect in this run. Null: each may have one.
  std::vector<WithoutEffect> (*without_effect)(const Spec&) = nullptr;
  /// That it keeps while it runs (counters.hpp), if somebody wants them.
  std::vector<std::span<const CounterInfo>> counters{};
  ResultKeys results{};    ///< keys_of() the part's structs of keys
  bool is_default = false; ///< the monitor or workload of who names none
  MonitorTraits monitor{};
  WorkloadTraits workload{};
};

/// All parts, in the order in which their parameters are shown.
const std::vector<Part>& parts();
/// One that is not built in, behind the others, before anybody has asked for parts(). Throws UserError if a part or a
/// section is called like one that is there.
void add_part(Part part);

/// The part that the specification's `monitor` or `workload` names.
const Part& monitor_of(const Spec& spec);
const Part& workload_of(const Spec& spec);
/// Of all parts.
std::vector<WithoutEffect> without_effect(const Spec& spec);
/// "a", or "a or b": the monitors of which that is true; "no monitor" if there is no such.
std::string monitors_that(bool MonitorTraits::*are);

/// Paths of parameters begin with the name of their section.
std::string_view section_of(std::string_view path);
/// The section of that name and its part; null if there is none.
struct Found {
  const Part* part;
  const SectionKind* section;
};
Found find_section(std::string_view name);

} // namespace hypermon
