// SPDX-License-Identifier: BSD-3-Clause
// Command of a client to the measurement of running processes (TAU over Supermon sec. 3.3 and 6: control of the
// measurement over the monhole's reverse channel).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hypermon::tau {

/// The complete new state, not a change: a process that gets a command twice or misses the previous one ends up the
/// same.
struct Control {
  std::uint64_t number = 0;       ///< number of the client's command, from 1 on
  std::int64_t every = 1;         ///< dump at every n-th dump point, or after n periods
  std::vector<std::string> off{}; ///< routines that are not measured
};

} // namespace hypermon::tau
