// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "base/field.hpp"

#include <cstdint>

namespace hypermon {

/// The synthetic generator of sec. 5.1 (generator.cpp).
struct GeneratorParams {
  std::int64_t active = 1;
  std::int64_t events = 125000;
};

constexpr auto fields_of(const GeneratorParams*) {
  return fields(Field{"active", &GeneratorParams::active, range(1, 4096), "nodes",
                      "Number of nodes that write events, from node 0 on.", "HYPERMON sec. 5.1"},
                Field{"events", &GeneratorParams::events, range(1, 1e9), "events",
                      "Number of 4-byte events (8 nibbles) that each active node emits.",
                      "HYPERMON sec. 5.1: a million; 125 000 (a million nibbles) are enough for a rate"});
}
static_assert(all_members_described<GeneratorParams>());

} // namespace hypermon
