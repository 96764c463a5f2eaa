// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"

namespace hypermon {

Part none_part() {
  return {.kind = Part::Kind::monitor,
          .name = "none",
          .monitor = {.ledger_unit = "bytes", .description = "no monitor, for comparison"}};
}

} // namespace hypermon
