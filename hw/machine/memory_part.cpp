// SPDX-License-Identifier: BSD-3-Clause
// The nodes' memory: its parameters and what a run says of it.
#include "base/parts.hpp"
#include "hw/machine/memory_params.hpp"

namespace hypermon {

Part memory_part() {
  return {.sections = {section<MemoryParams>("memory", "Memory of a node, and page faults of its processes.")},
          .results = {{"memory.ranks[].page_faults", "faults",
                       "With memory.node_mb: pages that the rank has touched for the first time, or had read."},
                      {"memory.ranks[].pages_read", "pages", "Of these: were read from disk."},
                      {"memory.ranks[].waited_s", "s", "For so long it waited for them; it is in mpi_s, too."}}};
}

} // namespace hypermon
