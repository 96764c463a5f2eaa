// SPDX-License-Identifier: BSD-3-Clause
// What there is to say of a workload whose parameters are one section.
#pragma once
#include "base/parts.hpp"

#include <string>
#include <utility>

namespace hypermon {

/// `own` is named like it.
inline Part workload_part(SectionKind own) {
  Part part{.kind = Part::Kind::workload, .name = own.name};
  part.sections.push_back(std::move(own));
  return part;
}
template <class Params> Part workload_part(const std::string& name, const std::string& description) {
  return workload_part(section<Params>(name, "Workload " + name + ": " + description));
}

} // namespace hypermon
