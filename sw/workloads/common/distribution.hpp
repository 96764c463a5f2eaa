// SPDX-License-Identifier: BSD-3-Clause
// Block distribution: `items` in order over `parts`, sizes differing by at most one.
#pragma once
#include <cstdint>

namespace hypermon::workloads {

constexpr std::int64_t block_begin(std::int64_t items, std::int64_t parts, std::int64_t part) {
  return items * part / parts;
}

} // namespace hypermon::workloads
