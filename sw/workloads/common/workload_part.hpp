// SPDX-License-Identifier: BSD-3-Clause
// What there is to say of a workload whose parameters are one section.
#pragma once
#include "sw/model/parts.hpp"

#include <string>

namespace hypermon {

template <class Params> Part workload_part(const std::string& name, const std::string& description) {
  return {.kind = Part::Kind::workload,
          .name = name,
          .sections = {section<Params>(name, "Workload " + name + ": " + description)}};
}

} // namespace hypermon
