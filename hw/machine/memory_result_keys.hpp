// SPDX-License-Identifier: BSD-3-Clause
// Result keys of nodes' memory.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct MemoryKeys {
  struct Ranks {
    ResultList list{"memory.ranks[]"};
    ResultKey<int> page_faults{"memory.ranks[].page_faults", "faults",
                               "With memory.node_mb: pages that the rank has touched for the first time, or had read."};
    ResultKey<int> pages_read{"memory.ranks[].pages_read", "pages", "Of these: were read from disk."};
    ResultKey<double> waited_s{"memory.ranks[].waited_s", "s", "For so long it waited for them; it is in mpi_s, too."};
  } ranks;
};
inline constexpr MemoryKeys memory_keys{};

} // namespace hypermon
