// SPDX-License-Identifier: BSD-3-Clause
// Duration of dumps. Dumps of all processes with the same number form one dump.
#pragma once
#include "base/results.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace hypermon::tau {

class FileDumps {
public:
  /// A process was in its dump with that number from `begin` to `end`.
  void add(std::uint64_t number, Time begin, Time end) {
    OfAll& all = dumps_[number];
    const Time took = end - begin;
    all.begin = std::min(all.begin, begin);
    all.end = std::max(all.end, end);
    all.least = std::min(all.least, took);
    all.most = std::max(all.most, took);
    all.sum += took;
    ++all.processes;
  }
  /// The keys below monitor.dump_times; null if there was no dump.
  ResultValues report() const;

private:
  struct OfAll {
    Time begin = Time::never();
    Time end;
    Time least = Time::never();
    Time most;
    Time sum;
    std::int64_t processes = 0;
  };
  std::map<std::uint64_t, OfAll> dumps_;
};

} // namespace hypermon::tau
