// SPDX-License-Identifier: BSD-3-Clause
// What a specification can be about. Every part of the simulator (platform, monitor, workload) brings its sections of
// parameters, what must hold between them, and what its runs' results say. CMake makes the list of all parts from the
// folders that are there (cmake/parts.cmake).
#pragma once
#include "hw/core/section.hpp"
#include "sw/model/counter.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

/// A number, text or list of a result.
struct ResultKey {
  std::string path; ///< "ranks[].events"
  std::string unit;
  std::string description;
};
/// From a table of texts, which costs no code for each.
struct ResultKeys : std::vector<ResultKey> {
  struct Texts {
    std::string_view path;
    std::string_view unit;
    std::string_view description;
  };
  ResultKeys() = default;
  ResultKeys(std::initializer_list<Texts> all);
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
  /// What it does changes what the nodes do, so that a recording does not say what they would. Null: never.
  bool (*acts_back)(const Spec&) = nullptr;
};

/// What is known of a workload, apart from its program.
struct WorkloadTraits {
  std::string description; ///< "program: the user's own", for those that are no program of ours; may be empty
  bool is_stream = false;  ///< no program: events from a file go straight to the monitor
};

struct Part {
  enum class Kind { platform, monitor, workload };
  Kind kind = Kind::platform;
  std::string name{}; ///< of a monitor or workload: what the parameter `monitor` or `workload` calls it
  std::vector<SectionKind> sections{};
  /// Values that are allowed each by itself, but not together: throws UserError. Called whatever runs.
  void (*check)(const Spec&) = nullptr;
  /// That it keeps while it runs (counters.hpp), if somebody wants them.
  std::vector<std::span<const CounterInfo>> counters{};
  ResultKeys results{};
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
