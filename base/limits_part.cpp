// SPDX-License-Identifier: BSD-3-Clause
#include "base/limits_params.hpp"
#include "base/parts.hpp"

namespace hypermon {

Part limits_part() {
  SectionKind limits = section<LimitsParams>(
      "limits", "Limits that stop a run that would not end. A run that ends within them does not depend on them.");
  limits.changes_results = false;
  return {.sections = {limits}};
}

} // namespace hypermon
