// SPDX-License-Identifier: BSD-3-Clause
// What a specification can be about. Every part of the simulator (platform, monitor, workload) brings its sections of
// parameters, what must hold between them, and what its runs' results say. CMake makes the list of all parts from the
// folders that are there (cmake/parts.cmake).
#pragma once
#include "base/counter.hpp"
#include "base/section.hpp"
#include "base/time.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

/// What a value of a result is, for those who read results by their types.
struct ResultType {
  std::string_view
      name{}; ///< Python's, or amount or loss (of a ledger); empty: a number, real if its unit is divisible
  bool may_be_null = false;
  bool element_may_be_null = false; ///< the element of a list that would have the key
};
/// Types to declare keys with. Of a path that ends with [], they are of each element.
namespace result {
inline constexpr ResultType integer{"int"};
inline constexpr ResultType real{"float"};
inline constexpr ResultType text{"str"};
inline constexpr ResultType texts{"list[str]"};
inline constexpr ResultType truth{"bool"};
inline constexpr ResultType object{"dict[str, Any]"};
inline constexpr ResultType loss{"Loss"};
constexpr ResultType or_null(ResultType type = {}) { return {type.name, true}; }
constexpr ResultType of_some_elements(ResultType type = {}) { return {type.name, type.may_be_null, true}; }
} // namespace result

/// A number, text or list of a result.
struct ResultKey {
  std::string path; ///< "ranks[].events"
  std::string unit;
  std::string description;
  ResultType type{};
};
/// The name of the key's type.
std::string_view type_of(const ResultKey& key);
/// From a table of texts, which costs no code for each.
struct ResultKeys : std::vector<ResultKey> {
  struct Texts {
    std::string_view path;
    std::string_view unit;
    std::string_view description;
    ResultType type{};
  };
  ResultKeys() = default;
  ResultKeys(std::initializer_list<Texts> all);
};

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
