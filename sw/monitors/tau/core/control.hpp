// SPDX-License-Identifier: BSD-3-Clause
// What a client tells the measurement of processes while they run (TAU over Supermon sec. 3.3 and 6: control of the
// measurement over the monhole's reverse channel).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hypermon::tau {

/// All of it, as it is to be from now on: who gets one twice, or misses the one before, comes to the same.
struct Control {
  std::uint64_t number = 0;       ///< of the client's commands, from 1 on
  std::int64_t every = 1;         ///< dumps: at each so-many-th dump point, or after so many periods
  std::vector<std::string> off{}; ///< routines that are not measured
};

} // namespace hypermon::tau
