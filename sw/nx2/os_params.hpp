// SPDX-License-Identifier: BSD-3-Clause
// Costs of the operating system.
#pragma once
#include "base/quantity.hpp"

namespace hypermon {

/// Costs of NX/2 that are not part of a message's time.
struct OsParams {
  Microseconds syscall_us = 130;
  Microseconds test_us = 4;
};

} // namespace hypermon
