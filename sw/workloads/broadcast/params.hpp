// SPDX-License-Identifier: BSD-3-Clause
// The broadcast of the HDTrace paper (sec. 8.1: 100 MiB).
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// MPI_Bcast of one array, once or several times (broadcast.cpp).
struct BroadcastParams {
  double mib = 100;
  std::int64_t root = 0;
  std::int64_t repeats = 1;
};

constexpr auto fields_of(const BroadcastParams*) {
  return fields(Field{"mib", &BroadcastParams::mib, range(0, 2047), "MiB",
                      "Size of the array that the root rank broadcasts.", "HDTrace: 100 MiB"},
                Field{"root", &BroadcastParams::root, range(0, 4095), "", "Rank that broadcasts the array.", "HDTrace"},
                Field{"repeats", &BroadcastParams::repeats, range(1, 1e6), "",
                      "Number of times that the array is sent.", "chosen"});
}
static_assert(all_members_described<BroadcastParams>());

} // namespace hypermon
