// SPDX-License-Identifier: BSD-3-Clause
// Number and time of the processes' system calls, as a kernel that measures them (KTAU) would report.
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
    times.longest = std::max(times.longest, took); // for several calls at once: the time of all
  }
  /// Appends entries by name to those of monitor.system_calls.
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
