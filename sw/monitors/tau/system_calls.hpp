// SPDX-License-Identifier: BSD-3-Clause
// What a kernel that measures its system calls (KTAU) would say of the processes: how often, how long.
#pragma once
#include "base/results.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace hypermon::tau {

class SystemCalls {
public:
  void add(const char* call, Time took, std::uint64_t calls = 1) {
    Times& times = calls_[call];
    times.calls += calls;
    times.sum += took;
    times.longest = std::max(times.longest, took); // of several at once: of all
  }
  /// By their names, behind those of monitor.system_calls.
  void add_to(ResultRecords& list) const;

private:
  struct Times {
    std::uint64_t calls = 0;
    Time sum;
    Time longest;
  };
  std::map<std::string, Times, std::less<>> calls_;
};

} // namespace hypermon::tau
