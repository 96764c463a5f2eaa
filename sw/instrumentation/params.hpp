// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the instrumentation.
#pragma once
#include "base/field.hpp"

#include <string>

namespace hypermon {

struct InstrumentationParams {
  std::string catalogue = "nx2";
};

constexpr auto fields_of(const InstrumentationParams*) {
  return fields(
      Field{"catalogue", &InstrumentationParams::catalogue, hypermon::catalogue(), "",
            "What is emitted where, with which data, codes and costs: nx2, another catalogue that comes "
            "with hypermon (mpi, user), or a YAML file. Not given: nx2, but mpi where machine.messages is another. "
            "Resolved: nx2, or the catalogue as JSON.",
            "HYPERMON sec. 5.2 (nx2); chosen (others)"});
}
static_assert(all_members_described<InstrumentationParams>());

} // namespace hypermon
