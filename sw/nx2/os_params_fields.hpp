// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in os_params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/nx2/os_params.hpp"

namespace hypermon {

constexpr auto fields_of(const OsParams*) {
  return fields(
      Field{"syscall_us", &OsParams::syscall_us, range(0.1, 1e6),
            "A system call that moves no data: probe, clock, posting or waiting for a message.",
            "calibrated on Table 2 software bytes of Simplex on 2 to 8 nodes and hardware bytes of Simplex on 2 nodes: "
            "how often it can poll"},
      Field{"test_us", &OsParams::test_us, range(0.1, 1e6),
            "A test of a message's done flag (msgdone): a library call, no system call and no event.", "assumed"});
}
static_assert(all_members_described<OsParams>());

} // namespace hypermon
