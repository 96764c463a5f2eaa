// SPDX-License-Identifier: BSD-3-Clause
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"

namespace hypermon {
namespace {

void check_catalogue(const Spec& spec) {
  try {
    read_catalogue(spec.get<InstrumentationParams>().catalogue);
  } catch (const UserError& error) {
    throw UserError(std::string("instrumentation.catalogue: ") + error.what());
  }
}

} // namespace

Part instrumentation_part() {
  return {.sections = {section<InstrumentationParams>("instrumentation", "Events of the nodes.")},
          .check = check_catalogue};
}

} // namespace hypermon
