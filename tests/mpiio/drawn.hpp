// SPDX-License-Identifier: BSD-3-Clause
// Random datatypes, each as a map and byte by byte.
#pragma once
#include "sw/mpiio/core/layout.hpp"
#include "tests/random.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hypermon::testing {

struct Drawn {
  mpiio::LayoutPointer layout;
  std::vector<std::int64_t> bytes;  ///< place of each byte of the data
  std::vector<std::int64_t> begins; ///< begin of each element of the type's map
  std::int64_t lower = 0;
  std::int64_t extent = 0;
};

inline Drawn drawn_bytes(std::int64_t n) {
  Drawn d{mpiio::Layout::bytes(n), {}, {0}, 0, n};
  for (std::int64_t i = 0; i < n; ++i) d.bytes.push_back(i);
  return d;
}

inline void append(Drawn& to, const Drawn& what, std::int64_t offset) {
  for (const std::int64_t byte : what.bytes) to.bytes.push_back(offset + byte);
  for (const std::int64_t begin : what.begins) to.begins.push_back(offset + begin);
}

/// `ascending`: its bytes are in the order of the data, none before its place, and it may be repeated.
inline Drawn draw_type(Random& random, int depth, bool ascending) {
  if (depth == 0 || random.one_in(4)) return drawn_bytes(random.between(1, 9));
  const Drawn element = draw_type(random, depth - 1, ascending);
  const std::int64_t upper = element.lower + element.extent;
  Drawn made;
  switch (random.below(3)) {
  case 0: {
    const std::int64_t count = random.between(1, 5);
    const std::int64_t stride = element.extent + (ascending ? random.pick({0, 0, 3}) : random.between(-40, 20));
    made.layout = mpiio::Layout::repeated(count, stride, element.layout);
    for (std::int64_t k = 0; k < count; ++k) append(made, element, k * stride);
    made.lower = std::min<std::int64_t>(0, (count - 1) * stride) + element.lower;
    made.extent = std::max<std::int64_t>(0, (count - 1) * stride) + upper - made.lower;
    break;
  }
  case 1: {
    std::vector<mpiio::Layout::Part> parts;
    std::int64_t at = ascending ? random.pick({0, 5}) : random.between(-30, 30);
    const std::int64_t count = random.between(1, 5);
    std::int64_t highest = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const Drawn one = random.one_in(2) ? element : draw_type(random, depth - 1, ascending);
      parts.push_back({at, one.layout});
      append(made, one, at);
      made.lower = k == 0 ? at + one.lower : std::min(made.lower, at + one.lower);
      highest = k == 0 ? at + one.lower + one.extent : std::max(highest, at + one.lower + one.extent);
      at = ascending ? at + one.lower + one.extent + random.pick({0, 0, 4}) : random.between(-60, 60);
    }
    made.layout = mpiio::Layout::joined(parts);
    made.extent = highest - made.lower;
    break;
  }
  default: {
    made = element;
    made.lower = ascending ? std::min<std::int64_t>(0, element.lower) : random.between(-5, 5);
    const std::int64_t end = *std::max_element(made.bytes.begin(), made.bytes.end()) + 1;
    made.extent = ascending ? std::max(end, upper) - made.lower + random.pick({0, 6}) : random.between(1, 60);
    made.layout = mpiio::Layout::resized(made.lower, made.extent, element.layout);
  }
  }
  return made;
}

} // namespace hypermon::testing
