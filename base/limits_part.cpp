// SPDX-License-Identifier: BSD-3-Clause
#include "base/limits_params.hpp"
#include "base/parts.hpp"

namespace hypermon {

Part limits_part() {
  SectionKind limits = section<LimitsParams>("limits", "What ends a run that would not end; no result depends on it.");
  limits.changes_results = false;
  return {.sections = {limits}};
}

} // namespace hypermon
