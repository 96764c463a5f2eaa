// SPDX-License-Identifier: BSD-3-Clause
// The behaviour of HPC Challenge in HDTrace's Figure 3: processes that compute with short calls in between, then a
// broadcast.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

struct HpccParams {
  std::int64_t phases = 3;
  std::int64_t size = 512;
  Nanoseconds multiply_add_ns = 2;
  double broadcast_mib = 100;
};

constexpr auto fields_of(const HpccParams*) {
  using P = HpccParams;
  return fields(Field{"phases", &P::phases, range(0, 1e6), "",
                      "Number of phases before the broadcast. Each is a matrix multiplication in every process and a "
                      "transposition over all processes.",
                      "chosen"},
                Field{"size", &P::size, range(1, 4096), "", "Rows and columns of each process's matrix.", "chosen"},
                Field{"multiply_add_ns", &P::multiply_add_ns, range(0, 1e9),
                      "CPU time of one multiply-add of the matrix multiplication.", "chosen: a Xeon of 2 GHz in C"},
                Field{"broadcast_mib", &P::broadcast_mib, range(0, 1024), "MiB",
                      "Size of the array that rank 0 broadcasts at the end.", "HDTrace sec. 5: 100 MiB"});
}
static_assert(all_members_described<HpccParams>());

} // namespace hypermon
