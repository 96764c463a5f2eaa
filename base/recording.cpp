// SPDX-License-Identifier: BSD-3-Clause
#include "base/recording.hpp"

namespace hypermon {
namespace {

bool is_there(const Part& part, const Spec& spec) {
  if (part.kind == Part::Kind::workload) return part.name == spec.workload;
  return part.kind != Part::Kind::monitor || part.name == spec.monitor;
}

} // namespace

Json emission_parameters(const Spec& spec) {
  Json parameters;
  spec.for_each_field([&](const std::string& path, const FieldInfo&, const auto& value) {
    const auto [part, section] = find_section(section_of(path));
    if (part == nullptr || (is_there(*part, spec) && section->changes_results && !section->is_behind_ports))
      parameters[path] = value;
  });
  return parameters;
}

} // namespace hypermon
