// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the client that holds an overhead, over the monhole's reverse channel.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

struct TauControlParams {
  double overhead_percent = 0;
  std::int64_t client = 0;
  Seconds interval_s = 10;
  std::int64_t most_every = 1000;
  bool routines = true;
  Microseconds command_us = 20;
};

} // namespace hypermon
