// SPDX-License-Identifier: BSD-3-Clause
// The Part of a workload whose parameters are one section.
#pragma once
#include "base/parts.hpp"

#include <string>
#include <utility>

namespace hypermon {

/// The workload has the name of the section `own`.
inline Part workload_part(SectionKind own) {
  Part part{.kind = Part::Kind::workload, .name = own.name};
  part.sections.push_back(std::move(own));
  return part;
}
template <class Params> Part workload_part(const std::string& name, const std::string& description) {
  return workload_part(section<Params>(name, "Workload " + name + ": " + description));
}

} // namespace hypermon
