// SPDX-License-Identifier: BSD-3-Clause
// Costs of the operating system.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

namespace hypermon {

/// Costs of NX/2 that are not part of a message's time.
struct OsParams {
  Microseconds syscall_us = 130;
  Microseconds test_us = 4;
};

constexpr auto fields_of(const OsParams*) {
  return fields(
      Field{"syscall_us", &OsParams::syscall_us, range(0.1, 1e6),
            "CPU time of an NX/2 system call that moves no data: probe, clock, and posting or waiting for a message.",
            "calibrated on Table 2 software bytes of Simplex on 2 to 8 nodes and hardware bytes of Simplex on 2 nodes: "
            "its cost limits the number of polls"},
      Field{"test_us", &OsParams::test_us, range(0.1, 1e6),
            "CPU time of testing a message's done flag (msgdone). It is a library call without a system call or event.",
            "assumed"});
}
static_assert(all_members_described<OsParams>());

} // namespace hypermon
