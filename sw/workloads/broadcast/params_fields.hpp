// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/broadcast/params.hpp"

namespace hypermon {

constexpr auto fields_of(const BroadcastParams*) {
  return fields(Field{"mib", &BroadcastParams::mib, range(0, 2047), "MiB", "The array that rank root sends to all.",
                      "HDTrace: 100 MiB"},
                Field{"root", &BroadcastParams::root, range(0, 4095), "", "The rank that has it.", "HDTrace"},
                Field{"repeats", &BroadcastParams::repeats, range(1, 1e6), "", "How often.", "chosen"});
}
static_assert(all_members_described<BroadcastParams>());

} // namespace hypermon
