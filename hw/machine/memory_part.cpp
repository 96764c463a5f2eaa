// SPDX-License-Identifier: BSD-3-Clause
// The nodes' memory: its parameters and result keys.
#include "base/parts.hpp"
#include "hw/machine/memory_params.hpp"
#include "hw/machine/memory_result_keys.hpp"

namespace hypermon {

Part memory_part() {
  return {.sections = {section<MemoryParams>("memory", "Memory of a node, and page faults of its processes.")},
          .results = keys_of(memory_keys)};
}

} // namespace hypermon
