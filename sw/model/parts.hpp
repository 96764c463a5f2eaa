// What a specification can be about. Every part of the simulator (platform, monitor, workload) brings its sections of
// parameters and what must hold between them; CMake writes the list of all parts (cmake/parts.cmake).
#pragma once
#include "hw/core/section.hpp"
#include "sw/model/counter.hpp"

#include <span>
#include <string>
#include <vector>

namespace hypermon {

struct Part {
  enum class Kind { platform, monitor, workload };
  Kind kind = Kind::platform;
  std::string name{}; ///< of a monitor or workload: what the parameter `monitor` or `workload` calls it
  std::vector<SectionKind> sections{};
  /// Values that are allowed each by itself, but not together: throws UserError. Called whatever runs.
  void (*check)(const Spec&) = nullptr;
  /// That it keeps while it runs (counters.hpp), if somebody wants them.
  std::vector<std::span<const CounterInfo>> counters{};
};

/// All parts, in the order in which their parameters are shown.
const std::vector<Part>& parts();

/// Paths of parameters begin with the name of their section.
std::string_view section_of(std::string_view path);
/// The section of that name and its part; null if there is none.
struct Found {
  const Part* part;
  const SectionKind* section;
};
Found find_section(std::string_view name);

} // namespace hypermon
