// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hypermon {

std::vector<Part> built_in_parts(); // by CMake: cmake/parts.cmake

namespace {

struct Registry {
  std::vector<Part> parts = built_in_parts();
  bool is_read = false; // by who may have kept what it has seen
};

Registry& registry() {
  static Registry all;
  return all;
}

const Part& named(Part::Kind kind, const std::string& name) {
  for (const Part& part : parts())
    if (part.kind == kind && part.name == name) return part;
  throw std::logic_error("no part is called " + name);
}

} // namespace

const std::vector<Part>& parts() {
  registry().is_read = true;
  return registry().parts;
}

void add_part(Part part) {
  Registry& all = registry();
  if (all.is_read) throw std::logic_error("a part that comes too late: " + part.name);
  for (const Part& other : all.parts) {
    if (other.kind == part.kind && other.name == part.name && part.kind != Part::Kind::platform)
      throw UserError(part.name + ": there is a part of that name");
    for (const SectionKind& section : part.sections)
      if (std::ranges::any_of(other.sections, [&](const SectionKind& s) { return s.name == section.name; }))
        throw UserError(section.name + ": there is a section of that name");
  }
  all.parts.push_back(std::move(part));
}

const Part& monitor_of(const Spec& spec) { return named(Part::Kind::monitor, spec.monitor); }
const Part& workload_of(const Spec& spec) { return named(Part::Kind::workload, spec.workload); }

std::vector<WithoutEffect> without_effect(const Spec& spec) {
  std::vector<WithoutEffect> all;
  for (const Part& part : parts())
    if (part.without_effect != nullptr)
      for (WithoutEffect& found : part.without_effect(spec)) all.push_back(std::move(found));
  return all;
}

std::string monitors_that(bool MonitorTraits::*are) {
  std::string names;
  for (const Part& part : parts())
    if (part.kind == Part::Kind::monitor && part.monitor.*are) names += (names.empty() ? "" : " or ") + part.name;
  return names.empty() ? "no monitor" : names;
}

std::string_view section_of(std::string_view path) { return path.substr(0, path.find_first_of(".[")); }

Found find_section(std::string_view name) {
  for (const Part& part : parts())
    for (const SectionKind& kind : part.sections)
      if (kind.name == name) return {&part, &kind};
  return {nullptr, nullptr};
}

} // namespace hypermon
