// SPDX-License-Identifier: BSD-3-Clause
// Result keys of nodes' memory.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct MemoryKeys {
  struct Ranks {
    ResultList list{"memory.ranks[]"};
    ResultKey<int> page_faults{"memory.ranks[].page_faults", "faults",
                               "Number of pages that the rank touched for the first time or that were read from disk "
                               "for it; absent without memory.node_mb."};
    ResultKey<int> pages_read{"memory.ranks[].pages_read", "pages",
                              "Number of pages that were read from disk for the rank."};
    ResultKey<double> waited_s{"memory.ranks[].waited_s", "s",
                               "Time that the rank waited for pages from disk; ranks[].mpi_s contains it."};
  } ranks;
};
inline constexpr MemoryKeys memory_keys{};

} // namespace hypermon
