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
  return fields(Field{"catalogue", &InstrumentationParams::catalogue, hypermon::catalogue(), "",
                      "Catalogue of events: the places that emit them, their data, codes and costs. It is nx2, mpi, "
                      "user or a YAML file. Default: nx2; mpi where machine.messages is not nx2. A resolved "
                      "configuration has nx2 or the catalogue as JSON.",
                      "HYPERMON sec. 5.2 (nx2); chosen (others)"});
}
static_assert(all_members_described<InstrumentationParams>());

} // namespace hypermon
